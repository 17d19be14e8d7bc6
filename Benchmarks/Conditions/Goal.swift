/// A goal for a figure, and how to compare it with what was measured.
struct Goal {
  /// The figure of a result that the goal is about.
  enum Figure: Sendable {
    case track, build, stateMemory, changeMedian, changeWorst

    func value(_ result: Result) -> Double? {
      switch self {
      case .track: result.track
      case .build: result.build
      case .stateMemory: result.stateMemory
      case .changeMedian: result.changeMedian
      case .changeWorst: result.changeWorst
      }
    }
  }

  /// What the figure is compared with.
  enum Reference: Sendable {
    /// The same figure of another contender in the same round; the ratio counts.
    case contender(String)
    /// The number of conditions; the bytes per condition count.
    case eachCondition
    /// Nothing; the figure is a time in nanoseconds.
    case time
  }

  let title: String
  let contender: String
  let figure: Figure
  let reference: Reference
  let limit: Double

  /// Whether the limit is the largest good value; otherwise it is the smallest.
  var isAtMost = true

  /// The numbers of conditions for which the goal is set; nil is all.
  var sizes: [Int]?

  /// The sets of circles for which the goal is set.
  var spreads = Workload.Spread.allCases

  static let all = [
    Goal(
      title: "Containment with events: at most 0.5× S2's cell index, which has none",
      contender: "geofenced-events", figure: .track, reference: .contender("s2-cell-index"),
      limit: 0.5),
    Goal(
      title: "Containment with events: at most 2× the C limit",
      contender: "geofenced-events", figure: .track, reference: .contender("limit-events"),
      limit: 2),
    Goal(
      title: "The full decision rule: at most 1× S2's cell index",
      contender: "geofenced-rule", figure: .track, reference: .contender("s2-cell-index"),
      limit: 1),
    Goal(
      title: "Redis GEOSEARCH, round trip: at least 100× containment with events",
      contender: "redis-geosearch", figure: .track, reference: .contender("geofenced-events"),
      limit: 100, isAtMost: false),
    Goal(
      title: "PostGIS ST_DWithin, round trip: at least 100× containment with events",
      contender: "postgis-circles", figure: .track, reference: .contender("geofenced-events"),
      limit: 100, isAtMost: false),
    Goal(
      title: "Loading all conditions: at most 0.2× what S2 takes to build its index",
      contender: "geofenced-rule", figure: .build, reference: .contender("s2-cell-index"),
      limit: 0.2),
    Goal(
      title: "Index and states, names apart: at most 120 bytes a condition",
      contender: "geofenced-rule", figure: .stateMemory, reference: .eachCondition, limit: 120,
      sizes: [1_000_000], spreads: [.even]),
    Goal(
      title: "One condition more, at the median: at most 6 µs",
      contender: "geofenced-add", figure: .changeMedian, reference: .time, limit: 6000,
      sizes: [1_000_000]),
    Goal(
      title: "One condition more, at the worst: at most 5 ms",
      contender: "geofenced-add", figure: .changeWorst, reference: .time, limit: 5_000_000,
      sizes: [1_000_000]),
  ]

  /// The measured values for a number of conditions; nil if there are none.
  func measured(_ results: Results, _ spread: Workload.Spread, _ count: Int) -> Distribution? {
    guard sizes?.contains(count) ?? true, spreads.contains(spread) else { return nil }
    let mine = results.byRound(contender, spread, count)
    switch reference {
    case .contender(let other):
      return results.ratio(of: contender, to: other, spread, count, figure.value)
    case .eachCondition:
      return Distribution(mine.values.compactMap(figure.value).map { $0 / Double(count) })
    case .time:
      return Distribution(mine.values.compactMap(figure.value))
    }
  }

  /// Whether the median of the measured values is good enough; for the worst change, the value of each round has to be.
  func isMet(by measured: Distribution) -> Bool {
    if figure == .changeWorst { return measured.most <= limit }
    return isAtMost ? measured.median <= limit : measured.median >= limit
  }

  /// The measured values as a text.
  func text(_ measured: Distribution) -> String {
    switch reference {
    case .contender: measured.text(Quantity.ratio)
    case .eachCondition: measured.text { Quantity.digits($0) + " bytes" }
    case .time: measured.text(Quantity.nanoseconds)
    }
  }
}
