/// The mistakes in a file: a line for each of the first ones, with its place.
package struct FileMistakes: Error, Hashable, CustomStringConvertible {
  /// The largest number of mistakes that are told.
  static let toldLimit = 20

  /// The first mistakes in the order of the file: `places.geojson:12: feature 3: …`.
  package let lines: [String]

  /// The number of further mistakes.
  package let more: Int

  init(lines: [String], more: Int = 0) {
    self.lines = lines
    self.more = more
  }

  /// All lines, and the number of further mistakes.
  package var description: String {
    (lines + (more > 0 ? ["and \(more) more \(more == 1 ? "mistake" : "mistakes")"] : [])).joined(
      separator: "\n")
  }
}
