/// Where a text stops being JSON.
package struct JSONMistake: Error, Hashable, CustomStringConvertible {
  /// Counted from 1.
  package let line: Int

  /// What is wrong there, after "line N: ".
  package let problem: String

  package var description: String { "line \(line): \(problem)" }
}
