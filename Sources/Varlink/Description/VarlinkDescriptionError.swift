/// What is wrong with an interface description or with the methods that go with it.
package struct VarlinkDescriptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the text, from 1; nil when the text itself is well formed.
  package let line: Int?
  package let problem: String

  package var description: String {
    if let line { "line \(line): \(problem)" } else { problem }
  }
}
