extension String {
  /// The first 256 characters, more than any word has that is looked for.
  ///
  /// Comparing a long text of accents takes time in the square of its length, as the accents are put in order.
  var beginning: String { String(unicodeScalars.prefix(256)) }

  /// Whether it is empty or only white space, like an empty cell of a table.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
