/// What is to be reached, and what was measured of it.
struct Goal {
  /// Which figure of a result counts.
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
    /// The same figure of another contender in the same round; what is compared is the ratio.
    case contender(String)
    /// The number of conditions: what is compared is so much a condition, in bytes.
    case eachCondition
    /// Nothing: a time in nanoseconds.
    case time
  }

  let title: String
  let contender: String
  let figure: Figure
  let reference: Reference
  let limit: Double

  /// Whether less than the limit is wanted, or more.
  var isAtMost = true

  /// Of which numbers of conditions this is asked; nil is all.
  var sizes: [Int]?

  /// How the circles lie for which this is asked.
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

  /// What was measured of it with so many conditions; nil when nothing was.
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

  /// Whether something measured is good enough, by its median; the worst is asked for all rounds.
  func isMet(by measured: Distribution) -> Bool {
    if figure == .changeWorst { return measured.most <= limit }
    return isAtMost ? measured.median <= limit : measured.median >= limit
  }

  /// Something measured in words.
  func text(_ measured: Distribution) -> String {
    switch reference {
    case .contender: measured.text(Quantity.ratio)
    case .eachCondition: measured.text { Quantity.digits($0) + " bytes" }
    case .time: measured.text(Quantity.nanoseconds)
    }
  }
}
