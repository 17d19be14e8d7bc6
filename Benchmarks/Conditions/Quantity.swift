import BenchmarkSupport

/// Numbers for people, with three digits and a suitable unit.
enum Quantity {
  static func nanoseconds(_ value: Double) -> String {
    switch value {
    case ..<999.5: "\(digits(value)) ns"
    case ..<999_500: "\(digits(value / 1e3)) µs"
    case ..<999_500_000: "\(digits(value / 1e6)) ms"
    default: "\(digits(value / 1e9)) s"
    }
  }

  static func bytes(_ value: Double) -> String {
    switch value {
    case ..<1e6: "\(digits(value / 1e3)) kB"
    case ..<1e9: "\(digits(value / 1e6)) MB"
    default: "\(digits(value / 1e9)) GB"
    }
  }

  static func ratio(_ value: Double) -> String { digits(value) + "×" }

  /// A whole number with a comma between thousands.
  static func count(_ value: Int) -> String {
    var text = ""
    for (index, digit) in String(abs(value)).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + String(text.reversed())
  }

  /// A number with three digits, or more if it has more before the point.
  static func digits(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let places = abs(value) < 0.995 ? 3 : abs(value) < 9.995 ? 2 : abs(value) < 99.95 ? 1 : 0
    guard places > 0 else { return count(Int(value.rounded())) }
    return decimal(value, places: places)
  }
}
