/// The mode indicator of NMEA 2.3 and later.
enum FAAMode: Equatable {
  case missing
  case invalid
  case valid(status: Int)

  init(_ letter: UInt8?) {
    switch letter.map(Unicode.Scalar.init) {
    case nil: self = .missing
    case "N": self = .invalid
    case "D", "P": self = .valid(status: 2)
    case "R": self = .valid(status: 3)
    case "F": self = .valid(status: 4)
    case "E": self = .valid(status: 5)
    case "M": self = .valid(status: 7)
    case "S": self = .valid(status: 8)
    default: self = .valid(status: 1)
    }
  }

  /// gpsd's status for it.
  var status: Int {
    if case .valid(let status) = self { status } else { 0 }
  }
}
