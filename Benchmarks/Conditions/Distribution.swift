import BenchmarkSupport

/// What several rounds said of one figure.
struct Distribution: Equatable {
  let median: Double
  let least: Double
  let most: Double

  /// Nil without values.
  init?(_ values: [Double]) {
    guard let least = values.min(), let most = values.max() else { return nil }
    self.least = least
    self.most = most
    median = values.median
  }

  /// The three in somebody's words: "12 ns (11–14)".
  ///
  /// - Parameter text: a value with its unit, which stands once.
  func text(_ text: (Double) -> String) -> String {
    least == most ? text(median) : "\(text(median)) (\(text(least))–\(text(most)))"
  }
}
