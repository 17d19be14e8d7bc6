/// What an XML text says next.
package enum XMLEvent: Sendable, Hashable {
  /// An element begins.
  case start(XMLElement)

  /// The element that began last and is still open ends.
  ///
  /// The text is what stood in it since the last tag, without the space around it.
  case end(text: String)
}

/// The tag with which an element begins.
package struct XMLElement: Sendable, Hashable {
  /// The name without a prefix.
  package let name: String

  /// The namespace that its prefix stands for; empty where it has none.
  package let namespace: String

  /// The attributes without a prefix; those of other namespaces aren't told.
  package let attributes: [String: String]

  /// The line on which it is, counted from 1.
  package let line: Int
}

/// Why an XML text isn't read any further.
package struct XMLMistake: Error, Hashable, CustomStringConvertible {
  /// Counted from 1.
  package let line: Int

  /// What is wrong there, after "line N: ".
  package let problem: String

  package init(line: Int, problem: String) {
    self.line = line
    self.problem = problem
  }

  package var description: String { "line \(line): \(problem)" }
}
