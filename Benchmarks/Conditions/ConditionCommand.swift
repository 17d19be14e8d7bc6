import BenchmarkSupport
package import CommandLineParsing
import JSONCoding
import LinuxSystem

/// The program `bench-conditions`.
package enum ConditionCommand {
  static let definition = Command(
    "bench-conditions", abstract: "Measure how fast many conditions are judged, beside others.",
    discussion: """
      Draws circles, a vehicle and devices, and measures how long it takes to find what contains them: \
      with geofenced, with a C program at the limit of the machine, and with the indexes and servers \
      that Debian has. Servers are started for the run, reached by Unix sockets only, and stored in a \
      folder that goes with it. Answers are checked. Docs/Performance.md explains all of it.

      Programs are built by `make -C Benchmarks/Peers`, and what they need is installed by \
      `Scripts/bootstrap --bench`; what is missing is named.
      """,
    examples: [
      Example(
        "bench-conditions --markdown Docs/Performance.md",
        "Everything, in three rounds; about a quarter of an hour."),
      Example("bench-conditions --sizes 100,10000 --rounds 1", "A look; about a minute."),
    ],
    options: [
      Option(
        "sizes", takes: .text("N,N"), defaultValue: "100,10000,100000,1000000",
        help: "How many conditions there are: some of these four."),
      Option(
        "rounds", takes: .integer("N"), defaultValue: "3",
        help: "How often everything is measured, 1 to 100."),
      Option(
        "programs", takes: .file("FOLDER"), defaultValue: ".build/peers",
        help: "Where the built programs are."),
      Option(
        "engine", takes: .text("SET_N"),
        help: """
          Only measure geofenced, in this process, with the workload of this name, such as A_10000, and \
          print lines of JSON. The run calls itself so.
          """),
      Option("json", help: "Print one JSON object for each result, and no table."),
      Option(
        "markdown", takes: .file("FILE"),
        help: "Also write the tables into this page, between its two markers."),
    ])

  /// Runs the program with a command line, given without the program's name.
  package static func run(_ words: [String]) async -> ExitCode {
    await BenchmarkProgram.run(definition, words) { arguments in
      if let name = arguments.string("engine") {
        try measureEngine(name, arguments)
        return .success
      }
      return try await measure(arguments)
    }
  }

  /// The measurements that a command line asks for.
  static func settings(_ arguments: ParsedArguments) throws(UsageError) -> ConditionRun {
    var run = ConditionRun()
    let text = try arguments.requiredString("sizes")
    let sizes = text.split(separator: ",").map { Int($0) ?? 0 }
    guard !sizes.isEmpty, sizes.allSatisfy(ExpectedAnswers.sizes.contains) else {
      throw arguments.usageError(
        "--sizes wants some of 100,10000,100000,1000000, got '\(text)'")
    }
    run.sizes = Set(sizes).sorted()
    run.rounds = try arguments.requiredInteger("rounds", in: 1...100)
    run.programs = try arguments.requiredString("programs")
    return run
  }

  /// The set and the number of conditions of a workload, by its name.
  static func workload(
    named name: String, _ arguments: ParsedArguments
  ) throws(UsageError) -> (Workload.Spread, Int) {
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, let spread = Workload.Spread(rawValue: String(parts[0])),
      let count = Int(parts[1]), (1...10_000_000).contains(count)
    else {
      throw arguments.usageError(
        "--engine wants A or B and the number of conditions, such as A_10000, got '\(name)'")
    }
    return (spread, count)
  }

  private static func measureEngine(_ name: String, _ arguments: ParsedArguments) throws {
    let (spread, count) = try workload(named: name, arguments)
    let measurement = try EngineMeasurement(Workload(spread, count: count))
    try measurement.run { try BenchmarkProgram.write(CanonicalJSON.text($0) + "\n") }
  }

  private static func measure(_ arguments: ParsedArguments) async throws -> ExitCode {
    let run = try settings(arguments)
    let isJSON = arguments.flag("json")
    let page = try arguments.string("markdown").map {
      try GeneratedPage($0, writtenBy: "make bench")
    }
    guard
      let outcome = try await untilInterrupted({
        try await run.play(tell: BenchmarkProgram.tell) { measurement in
          if isJSON { try BenchmarkProgram.write(CanonicalJSON.text(measurement) + "\n") }
        }
      })
    else { return .failure }
    let report = PerformanceReport(outcome, of: run, on: Machine.description)
    if !isJSON { try BenchmarkProgram.write(report.markdown) }
    try page?.save(report.markdown)
    for line in report.unmet { BenchmarkProgram.tell("Not met: \(line)") }
    for line in report.mistakes { BenchmarkProgram.tell("Wrong: \(line)") }
    // A goal that isn't met is a valid result; a wrong answer isn't.
    return report.mistakes.isEmpty && outcome.failures.isEmpty ? .success : .failure
  }

  /// Runs something until it is done; nil if a signal comes first.
  ///
  /// In that case it is cancelled, so that servers are stopped and folders removed.
  private static func untilInterrupted<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value? {
    let signals = await ProcessSignals.start([.interrupt, .terminate])
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        for await _ in signals.stream {
          BenchmarkProgram.tell("Ending when the program that runs now has ended")
          break
        }
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { return nil }
      return first
    }
  }
}
