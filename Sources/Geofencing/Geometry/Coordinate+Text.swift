import CGeodesic

extension Coordinate {
  /// Which of the two numbers of a position.
  package enum Axis: Sendable {
    case latitude
    case longitude
  }

  /// The degrees that a text tells as charts and plotters do, in minutes and seconds too: `54:19.5N`,
  /// `54° 19' 30" N`, `54 19.5 N`.
  ///
  /// North and east are positive; the number may be out of range. Read by GeographicLib.
  ///
  /// - Returns: nil where it is no angle, or one of the other axis.
  package static func degrees(_ text: String, _ axis: Axis) -> Double? {
    // It would also take a sum, and a sign beside a letter, of which each takes the other back.
    let hasSign = text.first.map(signs.contains) ?? false
    guard text.utf8.count <= 64, !text.contains("\0"), text.contains(where: \.isNumber),
      !text.dropFirst().contains(where: signs.contains),
      !hasSign || !text.contains(where: { "NSEWnsew".contains($0) })
    else { return nil }
    // GeographicLib takes what spaces separate together, as one number.
    let separated = text.replacing(/(\d)\s+(?=\d)/) { "\($0.1):" }.filter { !$0.isWhitespace }
    var degrees = 0.0
    guard unsafe degrees_decode(separated, axis == .longitude, &degrees), degrees.isFinite else {
      return nil
    }
    // Minutes leave a ninth digit, a tenth of a millimetre, and rounding behind that what nobody wrote.
    return (degrees * 1e9).rounded() / 1e9
  }

  /// What GeographicLib takes for plus and minus.
  private static let signs: Set<Character> = [
    "+", "➕", "\u{2064}", "-", "\u{2010}", "\u{2011}", "–", "—", "−", "➖",
  ]
}
