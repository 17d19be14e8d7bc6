import JSONCoding

/// One sentence of NMEA 0183 whose checksum isn't wrong, cut into its fields.
struct NMEASentence {
  /// The longest sentence that is read, from `$` to the checksum.
  ///
  /// The standard allows 82, but receivers of several systems send more; gpsd draws its line here too.
  static let maximumLength = 102

  /// What kind of sentence it is, without the talker: `RMC`; nil for a proprietary one.
  let formatter: String?

  /// The two letters of who talks, as a number; all that matters is whether two are equal.
  let talker: UInt16

  /// Whether it has a checksum: a few receivers send none, which gpsd takes as it is.
  let hasChecksum: Bool

  /// What stands between the commas; the address is field 0.
  private let fields: [ArraySlice<UInt8>]

  /// Reads the last sentence on a line; nil when there is none, or its checksum is wrong.
  ///
  /// What stands before the last `$` is skipped: recorders put dates there, and a cut-off sentence or
  /// binary data may. So is what stands behind a checksum, unless a letter or digit makes that longer: recorders
  /// put a comma and the time there, or a quote.
  init?(_ line: ArraySlice<UInt8>) {
    // AIS sentences begin with an exclamation mark.
    guard let start = line.lastIndex(of: UInt8(ascii: "$")) ?? line.lastIndex(of: UInt8(ascii: "!"))
    else { return nil }
    var text = line[(start + 1)...]
    let star = UInt8(ascii: "*")
    if let end = text.lastIndex(of: star) {
      let rest = text[end...].dropFirst(3)
      if let next = rest.first, next.isLetterOrDigit { return nil }
      text = text[..<rest.startIndex]
    }
    while let last = text.last, last == 0x0D || last == 0x0A || last == 0x20 { text.removeLast() }
    guard (6...Self.maximumLength).contains(text.count) else { return nil }
    hasChecksum = text.contains(star)
    var expected: UInt8?
    if hasChecksum {
      guard text.dropLast(2).last == star, let told = text.suffix(2).hexadecimal else { return nil }
      expected = told
      text = text.dropLast(3)
    }
    var checksum: UInt8 = 0
    for byte in text {
      guard (0x20...0x7E).contains(byte) else { return nil }
      checksum ^= byte
    }
    guard checksum == expected ?? checksum else { return nil }
    fields = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let address = fields[0]
    // Any text may have a dollar in it.
    guard hasChecksum || address.looksRight && fields.count > 1 && line[start] == UInt8(ascii: "$")
    else { return nil }
    if address.count == 5, address.first != UInt8(ascii: "P") || address.isQuectelAddress {
      talker = UInt16(address[address.startIndex]) << 8 | UInt16(address[address.startIndex + 1])
      formatter = String(decoding: address.suffix(3), as: UTF8.self)
    } else {
      talker = 0
      formatter = nil
    }
  }

  /// How many fields there are after the address.
  var count: Int { fields.count - 1 }

  /// A field's bytes, none when it is empty or missing.
  subscript(index: Int) -> ArraySlice<UInt8> {
    fields.indices.contains(index) ? fields[index] : []
  }

  /// A field's first character.
  func letter(_ index: Int) -> UInt8? { self[index].first }

  /// A field as a number, if it is one.
  func number(_ index: Int) -> Double? { self[index].decimal }

  /// A field as a whole number without a sign, if it is one.
  func integer(_ index: Int) -> Int? { self[index].digits }

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

  /// Latitude and longitude in degrees from four fields, ddmm.mmm,N,dddmm.mmm,E.
  func position(at index: Int) -> (latitude: Double, longitude: Double)? {
    guard let latitude = angle(index, limit: 90, positive: "N", negative: "S"),
      let longitude = angle(index + 2, limit: 180, positive: "E", negative: "W")
    else { return nil }
    return (latitude, longitude)
  }

  private func angle(
    _ index: Int, limit: Double, positive: Unicode.Scalar, negative: Unicode.Scalar
  ) -> Double? {
    // Some programs write a sign in place of the other side.
    let isNegative = self[index].first == UInt8(ascii: "-")
    let text = isNegative ? self[index].dropFirst() : self[index]
    let whole = text.prefix { $0 != UInt8(ascii: ".") }
    guard (3...5).contains(whole.count), let degrees = whole.dropLast(2).digits,
      let minutes = text[(whole.endIndex - 2)...].decimal, (0..<60).contains(minutes)
    else { return nil }
    let size = Double(degrees) + minutes / 60
    guard size <= limit, let side = letter(index + 1) else { return nil }
    switch (side, isNegative) {
    case (UInt8(ascii: positive), false): return size
    case (UInt8(ascii: positive), true), (UInt8(ascii: negative), false): return -size
    default: return nil
    }
  }

  /// A time of day, hhmmss or hhmmss.sss, in nanoseconds since midnight.
  func timeOfDay(_ index: Int) -> Int64? {
    let text = self[index]
    let whole = text.prefix { $0 != UInt8(ascii: ".") }
    guard whole.count == 6, let number = whole.digits else { return nil }
    let (hour, minute, second) = (number / 10_000, number / 100 % 100, number % 100)
    // Second 60 is a leap second.
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    var nanoseconds: Int64 = 0
    let fraction = text[whole.endIndex...].dropFirst()
    if !fraction.isEmpty {
      guard fraction.count <= 9, let digits = fraction.digits else { return nil }
      nanoseconds = Int64(digits)
      for _ in fraction.count..<9 { nanoseconds *= 10 }
    }
    return Int64(hour * 3600 + minute * 60 + second) * 1_000_000_000 + nanoseconds
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}

extension ArraySlice<UInt8> {
  /// Whether addresses look like this: capitals, and in proprietary ones digits.
  fileprivate var looksRight: Bool {
    (4...8).contains(count) && first.map { $0 >= 0x41 } == true
      && allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }

  /// Quectel's modems send `PQGSA` and `PQGSV`, which look proprietary and aren't.
  fileprivate var isQuectelAddress: Bool {
    elementsEqual("PQGSA".utf8) || elementsEqual("PQGSV".utf8)
  }

  /// Digits alone, as a number; nil when there are none, or too many.
  fileprivate var digits: Int? {
    guard (1...15).contains(count) else { return nil }
    var value = 0
    for byte in self {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }

  /// A decimal number as NMEA writes it: a sign perhaps, digits, a point perhaps; never an exponent.
  fileprivate var decimal: Double? {
    guard !contains(UInt8(ascii: "e")), !contains(UInt8(ascii: "E")),
      case .number(let number) = DecimalText(span)
    else { return nil }
    return number
  }

  /// Two hexadecimal digits as a byte.
  fileprivate var hexadecimal: UInt8? {
    reduce(0) { value, byte in
      guard let value, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      return value << 4 | UInt8(digit)
    }
  }
}
