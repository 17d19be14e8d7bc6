/// The next piece of an XML text.
package enum XMLEvent: Sendable, Hashable {
  /// An element begins.
  case start(XMLElement)

  /// The innermost open element ends.
  ///
  /// The text is the element's text since the last tag, without white space around it.
  case end(text: String)
}

/// The tag with which an element begins.
package struct XMLElement: Sendable, Hashable {
  /// The name without a prefix.
  package let name: String

  /// The namespace of its prefix; empty if it has none.
  package let namespace: String

  /// The attributes without a prefix; others are left out.
  package let attributes: [String: String]

  /// The line of the tag, counted from 1.
  package let line: Int
}

/// The place where reading an XML text had to stop, and why.
package struct XMLMistake: Error, Hashable, CustomStringConvertible {
  /// The number of the line, counted from 1.
  package let line: Int

  /// What is wrong, to be shown after "line N: ".
  package let problem: String

  package init(line: Int, problem: String) {
    self.line = line
    self.problem = problem
  }

  package var description: String { "line \(line): \(problem)" }
}
