extension String {
  /// The text without control characters, cut between two characters where it is too long.
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
