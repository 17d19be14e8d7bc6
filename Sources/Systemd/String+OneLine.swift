extension String {
  /// The text with spaces for control characters, cut off after the last character that fits into so many bytes.
  package func oneLine(ofAtMost bytes: Int) -> String {
    var line = ""
    var size = 0
    for scalar in unicodeScalars {
      let next = scalar.properties.generalCategory == .control ? " " : scalar
      size += UTF8.width(next)
      guard size <= bytes else { break }
      line.unicodeScalars.append(next)
    }
    return line
  }
}
