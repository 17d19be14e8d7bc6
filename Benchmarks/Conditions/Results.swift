/// All measurements, by contender and workload.
struct Results {
  private struct Key: Hashable {
    let name: String
    let spread: Workload.Spread
    let count: Int
  }
  private let measurements: [Key: [Int: Result]]

  init(_ measurements: [Measurement]) {
    var found: [Key: [Int: Result]] = [:]
    for one in measurements {
      let key = Key(name: one.result.name, spread: one.spread, count: one.count)
      found[key, default: [:]][one.round] = one.result
    }
    self.measurements = found
  }

  /// The results of a contender, by round.
  func byRound(_ name: String, _ spread: Workload.Spread, _ count: Int) -> [Int: Result] {
    measurements[Key(name: name, spread: spread, count: count)] ?? [:]
  }

  /// The values of a figure in all rounds; nil if it wasn't measured.
  func distribution(
    _ name: String, _ spread: Workload.Spread, _ count: Int, _ figure: (Result) -> Double?
  ) -> Distribution? {
    Distribution(byRound(name, spread, count).values.compactMap(figure))
  }

  /// The ratio of a contender's figure to another's in the same round; nil if no round has both.
  func ratio(
    of name: String, to other: String, _ spread: Workload.Spread, _ count: Int,
    _ figure: (Result) -> Double?
  ) -> Distribution? {
    let others = byRound(other, spread, count)
    return Distribution(
      byRound(name, spread, count).compactMap { round, result in
        guard let value = figure(result), let base = others[round].flatMap(figure), base > 0
        else { return nil }
        return value / base
      })
  }
}
