extension String {
  /// So much of this text as any word has that is looked for.
  ///
  /// To compare or go through a long one of flags or accents takes a time in the square of its length.
  var beginning: String { String(unicodeScalars.prefix(256)) }
}
