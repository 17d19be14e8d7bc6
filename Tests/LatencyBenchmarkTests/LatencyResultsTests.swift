import Geofencing
import Testing

@testable import LatencyBenchmark

@Suite struct LatencyResultsTests {
  private static func results() -> LatencyResults {
    LatencyResults(versions: ["A machine"], rounds: 1, fixes: 20, seconds: 0)
  }

  private static func transition(_ identifier: String, second: Int) -> Transition {
    Transition(
      key: ConditionKey(monitor: MonitorKey(user: 0, name: "default"), identifier: identifier),
      kind: .entered, state: .satisfied, previousState: .unsatisfied,
      date: Timestamp(nanoseconds: Int64(second) * 1_000_000_000))
  }

  private static let decisions = (0..<30).map { transition("c\($0)", second: $0) }

  /// With starts of a million conditions that took so many milliseconds, and those decisions after them.
  private static func measured(
    starts: [Int] = [2000, 2500, 2100], decisions others: [Transition] = decisions
  ) -> LatencyResults {
    var results = results()
    for time in [1900, 1500, 2600] { results.imports.add(.milliseconds(time), of: 100_000) }
    results.imports.add(.milliseconds(40), of: 1_000)
    for time in starts { results.starts.add(.milliseconds(time), of: 1_000_000) }
    results.comparison = .init(conditions: 1_000_000, of: decisions, with: others)
    return results
  }

  private static func goal(_ title: String, _ results: LatencyResults) throws -> LatencyGoal {
    try #require(LatencyGoal.all(results).first { $0.title.hasPrefix(title) })
  }

  @Test func `of an import the median counts, of starts the slowest`() throws {
    let imported = try Self.goal("Import of 100,000 circles", Self.measured())
    #expect(imported.value == 1.9 && imported.isMet)
    let started = try Self.goal("Start after a kill", Self.measured())
    #expect(started.value == 2.5 && started.isMet)
    #expect(try !Self.goal("Start after a kill", Self.measured(starts: [2000, 3100, 2100])).isMet)
  }

  @Test func `one decision that differs is too much`() throws {
    #expect(try Self.goal("Decisions", Self.measured()).isMet)
    var others = Self.decisions
    others[7] = Self.transition("c7", second: 8)
    let results = Self.measured(decisions: others)
    let goal = try Self.goal("Decisions", results)
    #expect(goal.value == 1 && !goal.isMet)
    #expect(
      results.comparison?.differences == [
        "c7 entered at 1970-01-01T00:00:07.000Z became entered at 1970-01-01T00:00:08.000Z"
      ])
  }

  @Test(arguments: [
    (0, 0), (1, 1), (30, 30),
  ])
  func `decisions that are missing differ, and those that are too many`(
    count: Int, differing: Int
  ) {
    let fewer = Array(Self.decisions.dropLast(count))
    func comparison(_ one: [Transition], _ other: [Transition]) -> DecisionComparison {
      DecisionComparison(conditions: 1_000_000, of: one, with: other)
    }
    #expect(comparison(Self.decisions, fewer).differing == differing)
    #expect(comparison(fewer, Self.decisions).differing == differing)
    #expect(comparison(fewer, Self.decisions).events == 30 - count)
  }

  @Test func `a decision that differs in how sure it was differs, and is told apart`() {
    var others = Self.decisions
    others[7].probability = 0.98
    others[9] = Self.transition("c9", second: 10)
    let comparison = DecisionComparison(conditions: 1_000_000, of: Self.decisions, with: others)
    #expect(comparison.differing == 2)
    #expect(comparison.differingInProbability == 1)
  }

  @Test func `a goal of which nothing was measured is left out`() {
    #expect(LatencyGoal.all(Self.results()).isEmpty)
    var results = Self.results()
    results.starts.add(.seconds(1), of: 100_000)
    results.comparison = .init(conditions: 100_000, of: [], with: [])
    #expect(LatencyGoal.all(results).isEmpty)
  }

  @Test func `all forms tell imports, starts and decisions`() throws {
    let text = Self.measured().text
    #expect(text.contains("import of 100000 conditions: 1.90 s (1.50–2.60)\n"))
    #expect(text.contains("import of 1000 conditions: 0.040 s\n"))
    #expect(text.contains("start after a kill with 1000000 conditions: 2.10 s (2.00–2.50)\n"))
    #expect(
      text.contains(
        "events after the start that differ: 0 of 30, 0 of them in the probability alone\n"))
    #expect(text.contains("the same: 0 of 30 events differ, met\n"))

    let markdown = Self.measured().markdown
    #expect(
      markdown.contains(
        """


        ## How it starts


        """))
    #expect(
      markdown.contains(
        """
        |---|---|---|
        | 1000 | 0.040 s | – |
        | 100000 | 1.90 s (1.50–2.60) | – |
        | 1000000 | – | 2.10 s (2.00–2.50) |

        A daemon with 1000000 conditions
        """))
    #expect(markdown.hasSuffix("only in the probability.\n"))
    #expect(!Self.results().markdown.contains("## How it starts"))

    let json = try Self.measured().json()
    #expect(json.contains("\"starts\":[{\"conditions\":1000000,\"seconds\":[2,2.5,2.1]}]"))
    #expect(
      json.contains(
        "\"comparison\":{\"conditions\":1000000,\"differences\":[],\"differing\":0,\"differingInProbability\":0,\"events\":30}"
      ))
  }
}
