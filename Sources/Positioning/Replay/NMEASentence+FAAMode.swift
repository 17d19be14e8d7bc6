extension NMEASentence {
  /// gpsd's status for the mode indicator of NMEA 2.3 and later in a field: 0 without one, and nil where it says
  /// that there is no fix.
  func faaStatus(at field: Int) -> Int? {
    switch letter(field).map(Unicode.Scalar.init) {
    case nil: 0
    case "N": nil
    case "D", "P": 2
    case "R": 3
    case "F": 4
    case "E": 5
    case "M": 7
    case "S": 8
    default: 1
    }
  }
}
