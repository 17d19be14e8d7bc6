extension String {
  /// So much of this text as any word has that is looked for.
  ///
  /// To compare a long one of accents above and below takes a time in the square of its length, as they are put in order.
  var beginning: String { String(unicodeScalars.prefix(256)) }

  /// Whether nothing of it can be seen, as in an empty cell of a table.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
