extension Double {
  /// This number with so many digits after the point: more would be noise to a reader, as is minus zero.
  package func rounded(toPlaces places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let scaled = (self * scale).rounded() / scale
    return scaled.isFinite ? scaled + 0 : self
  }

  /// The shortest text that is read as the same number again: a whole one is without `.0`, and minus zero
  /// is zero.
  package var shortest: String {
    guard self == rounded(), abs(self) < 1e15 else { return description }
    return Int64(self).description
  }

  /// The ``shortest`` text of a number of less than 10¹⁵ without an exponent, which people and GPX don't read.
  package var plain: String {
    let text = shortest
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else { return text }
    let digits = parts[0].filter(\.isNumber)
    return (self < 0 ? "-0." : "0.") + String(repeating: "0", count: -exponent - 1) + digits
  }
}

extension ClosedRange<Double> {
  /// From where to where it goes: `1 to 2000000`.
  package var text: String { "\(lowerBound.shortest) to \(upperBound.shortest)" }
}
