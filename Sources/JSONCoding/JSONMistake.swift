/// The place where a text isn't valid JSON, and what is wrong there.
package struct JSONMistake: Error, Hashable, CustomStringConvertible {
  /// The number of the line, counted from 1.
  package let line: Int

  /// What is wrong, to be shown after "line N: ".
  package let problem: String

  /// Whether the only mistake is that arrays and objects are nested too deeply.
  package var isNesting = false

  package var description: String { "line \(line): \(problem)" }
}
