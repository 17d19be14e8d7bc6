import CommandLineParsing
import GeofenceDaemon
import Geofencing
import Testing

@testable import QualityBenchmark

@Suite struct QualityCommandTests {
  private static func settings(_ words: [String]) throws(UsageError) -> QualityRun? {
    guard case .run(let arguments) = try QualityCommand.definition.parse(words) else { return nil }
    return try QualityCommand.settings(arguments)
  }

  @Test func `the seeds to tune on and those to report have none in common`() throws {
    let tuning = try #require(try Self.settings(["--tuning"]))
    let reporting = try #require(try Self.settings([]))
    #expect(tuning.seeds == Array(1...12))
    #expect(reporting.seeds == Array(201...206))
    #expect(try Self.settings(["--seeds", "2"])?.seeds == [201, 202])
  }

  @Test func `numbers can be set by the names that they have in the configuration`() throws {
    let run = try #require(try Self.settings(["--set", "ExitSec=7s", "--set", "Confidence=0.9"]))
    #expect(run.configuration.decision.exitTime == .seconds(7))
    #expect(run.configuration.decision.confidence == 0.9)
  }

  @Test func `scenarios and rules are chosen by a part of their names`() throws {
    let run = try #require(try Self.settings(["--scenario", "tunnel", "--rule", "polygons"]))
    #expect(run.scenarios.map(\.name) == ["tunnel across the exit"])
    #expect(run.rules == [.geofencedPolygons])
  }

  @Test(arguments: [
    (["--scenario", "nix"], "no scenario has 'nix' in its name"),
    (["--seeds", "0"], "--seeds wants a whole number from 1 to 1000, got '0'"),
    (["--seeds", "many"], "--seeds wants a whole number, got 'many'"),
    (["--set", "ExitSec"], "--set: wants KEY=VALUE, for example ExitSec=30s, got 'ExitSec'"),
    (["--set", "ExitSec=soon"], "--set: ExitSec= wants a time from 0 to 1h, got 'soon'"),
    (["--tunin"], "unknown option '--tunin' (did you mean '--tuning'?)"),
    (["--markdown", "F", "--tuning"], "--markdown is for the whole table, without --tuning"),
    (["more"], "unexpected argument 'more' (see --help)"),
  ])
  func `what is wrong is told in one line`(words: [String], message: String) {
    #expect(throws: UsageError(command: "bench-quality", message: message)) {
      _ = try Self.settings(words)
    }
  }

  @Test func `every scenario has a name of its own`() {
    let names = Scenario.all.map(\.name)
    #expect(Set(names).count == names.count)
  }

  /// A short run: two scenarios on one seed.
  private static func run() async throws -> QualityReport {
    let run = try #require(
      try settings(["--seeds", "1", "--scenario", "walk along the line, in"]))
    var results: [QualityRun.Result] = []
    for scenario in run.scenarios { results.append(try await run.play(scenario)) }
    return QualityReport(rules: run.rules, results: results)
  }

  @Test func `the same seeds give the same bytes, no wider than 120 columns`() async throws {
    let reports = [try await Self.run(), try await Self.run()]
    let texts = reports.map { report in
      QualityReport.heading + report.results.map(report.block).joined()
        + report.totals.map(report.block).joined() + report.markdown
    }
    #expect(texts[0] == texts[1])
    let report = reports[0]
    let text = QualityReport.heading + report.results.map(report.block).joined()
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(text.contains("  point in circle "))
    let json = try report.json(report.results[0])
    #expect(json.split(separator: "\n").count == Rule.allCases.count)
  }
}
