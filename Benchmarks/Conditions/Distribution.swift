import BenchmarkSupport

/// The values of one figure in several rounds.
struct Distribution: Equatable {
  let median: Double
  let least: Double
  let most: Double

  /// Nil if there are no values.
  init?(_ values: [Double]) {
    guard let least = values.min(), let most = values.max() else { return nil }
    self.least = least
    self.most = most
    median = values.median
  }

  /// The median, the least and the most as a text: "12 ns (11–14)".
  ///
  /// - Parameter text: The text of a value, with its unit.
  func text(_ text: (Double) -> String) -> String {
    least == most ? text(median) : "\(text(median)) (\(text(least))–\(text(most)))"
  }
}
