/// Some times, and what stands for them.
struct Delays: Sendable {
  private(set) var sorted: [Duration]

  init(_ values: [Duration]) {
    sorted = values.sorted()
  }

  /// The value below which that share of the values lies; zero without values.
  func quantile(_ share: Double) -> Duration {
    sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  var p50: Duration { quantile(0.5) }
  var p99: Duration { quantile(0.99) }
}

extension [Double] {
  /// The middle one; NaN without values.
  var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}

extension Duration {
  /// As a number of microseconds.
  var microseconds: Double { self / .microseconds(1) }
}
