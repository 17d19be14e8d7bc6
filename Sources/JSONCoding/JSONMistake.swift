/// Where a text stops being JSON.
package struct JSONMistake: Error, Hashable, CustomStringConvertible {
  /// Counted from 1.
  package let line: Int

  /// What is wrong there, after "line N: ".
  package let problem: String

  /// Whether all that is wrong is that arrays and objects are nested too deeply.
  package var isNesting = false

  package var description: String { "line \(line): \(problem)" }
}
