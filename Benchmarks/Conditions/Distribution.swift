/// What several rounds said of one figure.
struct Distribution: Equatable {
  let median: Double
  let least: Double
  let most: Double

  /// Nil without values.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    self.least = least
    self.most = most
    let middle = sorted.count / 2
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The three in somebody's words: "12 ns (11–14)".
  ///
  /// - Parameter text: a value with its unit, which stands once.
  func text(_ text: (Double) -> String) -> String {
    least == most ? text(median) : "\(text(median)) (\(text(least))–\(text(most)))"
  }
}
