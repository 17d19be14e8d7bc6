import JSONCoding

extension Double {
  /// Reads a finite decimal number and nothing else: no `nan`, `inf`, hexadecimal or spaces.
  package init?(strict text: some StringProtocol) {
    guard text.utf8.count <= 64, case .number(let value) = DecimalText(String(text)) else {
      return nil
    }
    self = value
  }
}

extension Int {
  /// Reads a whole decimal number that fits, and nothing else.
  package init?(strict text: some StringProtocol) {
    guard text.utf8.count <= 64, let value = Int(text, radix: 10) else { return nil }
    self = value
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

extension Duration {
  /// Reads a time span in systemd's notation: `10`, `10s`, `5min`, `1h 30min`, `500ms`.
  ///
  /// A single number without a unit is in seconds. The units are `us`, `ms`, `s`, `m` or `min`, `h`, `d` and `w`, and
  /// their long names in systemd. A span is never negative, and exact to the microsecond.
  package init?(timeSpan text: some StringProtocol) {
    guard text.utf8.count <= 128 else { return nil }
    var rest = Substring(text).utf8
    var total: Int64 = 0
    var isFirst = true
    repeat {
      rest = rest.drop(while: isBlank)
      let whole = rest.prefix(while: isDigit)
      rest = rest[whole.endIndex...]
      var fraction = rest.prefix(0)
      if rest.first == UInt8(ascii: ".") {
        fraction = rest.dropFirst().prefix(while: isDigit)
        rest = rest[fraction.endIndex...]
        if fraction.isEmpty || fraction.count > 6 { return nil }
      }
      rest = rest.drop(while: isBlank)
      let unit = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      rest = rest[unit.endIndex...].drop(while: isBlank)
      // A number without a unit is clear only if it stands alone.
      if unit.isEmpty && !(isFirst && rest.isEmpty) { return nil }
      guard let amount = Int64(Substring(whole)),
        let size = sizeOfUnit(Substring(unit))
      else { return nil }
      let scale = fraction.reduce(Int64(1)) { power, _ in power * 10 }
      let parts = (Int64(Substring(fraction)) ?? 0) * size / scale
      let (product, tooLarge) = amount.multipliedReportingOverflow(by: size)
      let (component, tooLargeWithParts) = product.addingReportingOverflow(parts)
      let (sum, tooLargeInAll) = total.addingReportingOverflow(component)
      if tooLarge || tooLargeWithParts || tooLargeInAll { return nil }
      total = sum
      isFirst = false
    } while !rest.isEmpty
    self = .microseconds(total)
  }

  /// The span in the notation of ``init(timeSpan:)``, in the largest unit that gives a whole number.
  package var timeSpan: String {
    let (seconds, attoseconds) = components
    let total = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let units: [(Int64, String)] = [
      (86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "min"), (1_000_000, "s"),
      (1_000, "ms"), (1, "us"),
    ]
    if total == 0 { return "0" }
    for (size, name) in units where total % size == 0 { return "\(total / size)\(name)" }
    return "\(total)us"
  }
}

private func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
}

/// The number of microseconds in a unit; nil if the unit isn't known.
private func sizeOfUnit(_ unit: Substring) -> Int64? {
  switch unit {
  case "us", "usec": 1
  case "ms", "msec": 1_000
  case "", "s", "sec", "second", "seconds": 1_000_000
  case "m", "min", "minute", "minutes": 60_000_000
  case "h", "hr", "hour", "hours": 3_600_000_000
  case "d", "day", "days": 86_400_000_000
  case "w", "week", "weeks": 604_800_000_000
  default: nil
  }
}
