import BenchmarkSupport

/// Some durations and their quantiles, which are zero if there are none.
struct Delays: Sendable {
  private let values: [Duration]

  init(_ values: [Duration]) { self.values = values }

  var isEmpty: Bool { values.isEmpty }
  var p50: Duration { values.quantile(0.5) ?? .zero }
  var p99: Duration { values.quantile(0.99) ?? .zero }
}

extension Duration {
  /// As a number of microseconds.
  var microseconds: Double { self / .microseconds(1) }
}
