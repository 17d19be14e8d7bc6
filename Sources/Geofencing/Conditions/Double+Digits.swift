extension Double {
  /// This number rounded to so many digits after the point, with minus zero as zero.
  package func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let scaled = (self * scale).rounded() / scale
    return scaled.isFinite ? scaled + 0 : self
  }

  /// The shortest text that is read as the same number again.
  ///
  /// A whole number has no `.0`, and minus zero is zero.
  package var shortest: String {
    guard self == rounded(), abs(self) < 1e15 else { return description }
    return Int64(self).description
  }

  /// The ``shortest`` text of a number below 10¹⁵, but without an exponent, which neither people nor GPX readers
  /// understand.
  package var plain: String {
    let text = shortest
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else { return text }
    let digits = parts[0].filter(\.isNumber)
    return (self < 0 ? "-0." : "0.") + String(repeating: "0", count: -exponent - 1) + digits
  }
}

extension ClosedRange<Double> {
  /// The bounds of the range: `1 to 2000000`.
  package var text: String { "\(lowerBound.shortest) to \(upperBound.shortest)" }
}
