import BenchmarkSupport
package import CommandLineParsing
import GeofenceDaemon

/// The program `bench-quality`.
package enum QualityCommand {
  static let definition = Command(
    "bench-quality", abstract: "Compare rules on journeys whose truth is known.",
    discussion: """
      Invents journeys with known truth and realistic errors, lets each rule decide, and prints how \
      many of its events were false, how many visits it missed, and how late it was. The same seeds \
      give the same figures. Docs/Quality.md explains all of it.
      """,
    examples: [
      Example("bench-quality", "The table of all rules over all scenarios."),
      Example(
        "bench-quality --rule geofenced --scenario canyon --verbose",
        "What it was that went wrong between high walls."),
      Example(
        "bench-quality --tuning --rule geofenced --set ExitSec=1s",
        "Whether another number is better, on the seeds that may be looked at."),
    ],
    options: [
      Option("tuning", help: "Use the seeds 1 to 12, to find numbers by, not 201 to 206."),
      Option(
        "seeds", takes: .integer("N"),
        help: "Use so many seeds, 1 to 1000, beginning with the same."),
      Option("scenario", takes: .text("TEXT"), help: "Only scenarios with this in their name."),
      Option("rule", takes: .text("TEXT"), help: "Only rules with this in their name."),
      Option(
        "set", takes: .text("KEY=VALUE"), repeats: true,
        help: """
          Judge by this instead of the default; a key of [Decision], or of those in \
          [Receiver] that say which positions are used; see geofenced.conf(5).
          """),
      Option(
        "verbose", short: "v",
        help: "Tell on standard error what each rule said of each fence that it was wrong about."),
      Option("json", help: "Print one JSON object for each scenario and rule."),
      Option(
        "markdown", takes: .file("FILE"),
        help: "Also write the table into this page, between its two markers."),
    ])

  /// Runs the program with a command line, given without the program's name.
  package static func run(_ words: [String]) async -> ExitCode {
    await BenchmarkProgram.run(definition, words, compare)
  }

  /// The comparison that a command line asks for.
  static func settings(_ arguments: ParsedArguments) throws(UsageError) -> QualityRun {
    var run = QualityRun()
    let isTuning = arguments.flag("tuning")
    let count = arguments.integer("seeds") ?? (isTuning ? 12 : 6)
    guard (1...1000).contains(count) else {
      throw arguments.usageError("--seeds wants a whole number from 1 to 1000, got '\(count)'")
    }
    run.seeds = isTuning ? QualityRun.tuningSeeds(count) : QualityRun.reportingSeeds(count)
    if let text = arguments.string("scenario") {
      run.scenarios = run.scenarios.filter { $0.name.contains(text) }
      guard !run.scenarios.isEmpty else {
        throw arguments.usageError("no scenario has \(quoted(text)) in its name")
      }
    }
    if let text = arguments.string("rule") {
      run.rules = run.rules.filter { $0.rawValue.contains(text) }
      guard !run.rules.isEmpty else {
        throw arguments.usageError(
          "no rule has \(quoted(text)) in its name: "
            + Rule.allCases.map(\.rawValue).joined(separator: "; "))
      }
    }
    for assignment in arguments.strings("set") {
      do {
        try run.configuration.assign(assignment)
      } catch {
        throw arguments.usageError("--set: \(error)")
      }
    }
    let changes = ["tuning", "seeds", "scenario", "rule", "set"].filter { arguments.isGiven($0) }
    if arguments.isGiven("markdown"), let change = changes.first {
      throw arguments.usageError("--markdown is for the whole table, without --\(change)")
    }
    return run
  }

  private static func compare(_ arguments: ParsedArguments) async throws -> ExitCode {
    let run = try settings(arguments)
    let isJSON = arguments.flag("json")
    let page = try arguments.string("markdown").map {
      try GeneratedPage($0, writtenBy: "make bench-quality")
    }
    if !isJSON { try BenchmarkProgram.write(QualityReport.heading) }
    let clock = ContinuousClock()
    var results: [QualityRun.Result] = []
    for (index, scenario) in run.scenarios.enumerated() {
      let began = clock.now
      let result = try await run.play(scenario)
      let one = QualityReport(rules: run.rules, results: [result])
      try BenchmarkProgram.write(isJSON ? one.json(result) : one.block(result))
      results.append(result)
      let seconds = began.duration(to: clock.now) / .seconds(1)
      BenchmarkProgram.tell(
        "\(index + 1)/\(run.scenarios.count) \(scenario.name): \(tenths(seconds)) s")
      if arguments.flag("verbose") { explain(run, result) }
    }
    let report = QualityReport(rules: run.rules, results: results)
    if !isJSON { for total in report.totals { try BenchmarkProgram.write(report.block(total)) } }
    try page?.save(report.markdown)
    return .success
  }

  private static func explain(_ run: QualityRun, _ result: QualityRun.Result) {
    for (rule, wrong) in zip(run.rules, result.wrong) {
      for (seed, fence) in wrong {
        BenchmarkProgram.tell("\(rule.rawValue), seed \(seed), \(fence.text)")
      }
    }
  }
}
