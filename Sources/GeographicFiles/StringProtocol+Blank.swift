extension StringProtocol {
  /// Whether nothing of it can be seen, as in an empty cell of a table.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
