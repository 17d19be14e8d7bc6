import Testing

@testable import ConditionBenchmark

@Suite struct PerformanceReportTests {
  private static func measurement(
    _ name: String, round: Int, track: Double, events: Int? = nil, trackTotal: Int? = nil
  ) -> Measurement {
    var result = Result(name, version: "version of \(name)")
    result.track = track
    result.events = events
    result.trackTotal = trackTotal
    return Measurement(round: round, spread: .even, count: 10_000, result: result)
  }

  private static func report(_ outcome: ConditionRun.Outcome) -> PerformanceReport {
    PerformanceReport(outcome, of: ConditionRun(sizes: [10_000], rounds: 3), on: "A machine")
  }

  private static let outcome = {
    var outcome = ConditionRun.Outcome()
    for (round, (mine, other)) in [(50.0, 200.0), (90, 150), (60, 100)].enumerated() {
      outcome.measurements += [
        measurement("geofenced-events", round: round + 1, track: mine, events: 1764),
        measurement("s2-cell-index", round: round + 1, track: other, trackTotal: 1119),
      ]
    }
    outcome.missing["redis-geosearch"] = "it isn't installed: install redis-server"
    return outcome
  }()

  @Test func `ratios are of the same round, and their median counts`() {
    let markdown = Self.report(Self.outcome).markdown
    let goal = "at most 0.5× S2's cell index, which has none"
    // 0.25, 0.6 and 0.6: the median isn't good enough, though that of the times would be.
    #expect(
      markdown.contains(
        "\(goal) | A | 0.600× (0.250×–0.600×), **not met** |"))
    #expect(
      markdown.contains(
        "| geofenced, containment with events | 60.0 ns (50.0 ns–90.0 ns), 0.600× |"))
    #expect(markdown.contains("| S2 cell index | 150 ns (100 ns–200 ns), 1.00× |"))
  }

  @Test func `what is missing is named, and what is wrong`() {
    var outcome = Self.outcome
    outcome.measurements.append(
      Self.measurement("limit-events", round: 1, track: 20, events: 1763))
    outcome.failures = ["geos, A_10000: no end after 600 s"]
    let report = Self.report(outcome)
    #expect(
      report.markdown.contains(
        "**Missing**: Redis GEOSEARCH, round trip: it isn't installed: install redis-server."))
    #expect(report.markdown.contains("| Redis GEOSEARCH, round trip | missing |"))
    #expect(report.mistakes == ["C limit, events in every cell, A_10000: events: 1763, not 1764"])
    #expect(report.markdown.contains("**Failed**: geos, A_10000: no end after 600 s."))
    // A sphere's answers are a little different, and that is known.
    #expect(Self.report(Self.outcome).mistakes.isEmpty)
  }

  @Test(arguments: [
    (0.1234, "0.123"), (1.005, "1.00"), (9.994, "9.99"), (9.996, "10.0"), (99.96, "100"),
    (1234.4, "1,234"), (0, "0.000"), (.nan, "–"), (-0.5, "-0.500"),
  ])
  func `numbers have three digits`(value: Double, text: String) {
    #expect(Quantity.digits(value) == text)
  }

  @Test func `times and sizes have the unit that suits them`() {
    #expect(Quantity.nanoseconds(157.3) == "157 ns")
    #expect(Quantity.nanoseconds(18_180) == "18.2 µs")
    #expect(Quantity.nanoseconds(18.18e9) == "18.2 s")
    #expect(Quantity.bytes(184_740_000) == "185 MB")
    #expect(Distribution([3, 1, 2, 10]) == Distribution([1, 2, 3, 10]))
    #expect(Distribution([3, 1, 2, 10])?.median == 2.5)
    #expect(Distribution([]) == nil)
  }
}
