import CGeodesic

extension Coordinate {
  /// Latitude or longitude.
  package enum Axis: Sendable {
    case latitude
    case longitude
  }

  /// Reads degrees as charts and plotters write them, also with minutes and seconds.
  ///
  /// Examples are `54:19.5N`, `54° 19' 30" N` and `54 19.5 N`.
  ///
  /// North and east are positive; the number may be out of range. GeographicLib reads it.
  ///
  /// - Returns: nil if it is no angle, or one of the other axis.
  package static func degrees(_ text: String, _ axis: Axis) -> Double? {
    // GeographicLib would also take a sum, and a sign beside a letter, whose meanings multiply.
    let hasSign = text.first.map(signs.contains) ?? false
    guard text.utf8.count <= 64, !text.contains("\0"), text.contains(where: \.isNumber),
      !text.dropFirst().contains(where: signs.contains),
      !hasSign || !text.contains(where: { "NSEWnsew".contains($0) })
    else { return nil }
    // GeographicLib would read numbers that only spaces separate as one.
    let separated = text.replacing(/(\d)\s+(?=\d)/) { "\($0.1):" }.filter { !$0.isWhitespace }
    var degrees = 0.0
    guard unsafe degrees_decode(separated, axis == .longitude, &degrees), degrees.isFinite else {
      return nil
    }
    // The ninth digit is a tenth of a millimetre; digits behind it come from rounding.
    return (degrees * 1e9).rounded() / 1e9
  }

  /// The characters that GeographicLib takes for plus and minus.
  private static let signs: Set<Character> = [
    "+", "➕", "\u{2064}", "-", "\u{2010}", "\u{2011}", "–", "—", "−", "➖",
  ]
}
