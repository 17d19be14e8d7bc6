import BenchmarkSupport
package import CommandLineParsing
import Foundation
import LinuxSystem

/// The program `bench-latency`.
package enum LatencyCommand {
  static let definition = Command(
    "bench-latency", abstract: "Measure the way from a fix to an event, and an idle daemon.",
    discussion: """
      Runs the release daemon and sends it gpsd's reports, each of which causes an event, one at a \
      time: the delay is from the writing of a report to the event's line on the events socket. Beside \
      it, in turns, run the C program of the same shape (Benchmarks/Peers, end-to-end), which stores \
      nothing, and a bare SQLite transaction of the same rows. Both are measured on a disk and on a \
      tmpfs, where there is nothing to wait for. The real gpsd is \
      measured too; in all of this driver and measured programs have a processor each. Then follow \
      resident memory, processor time at several rates and in a pause, the import of many conditions, \
      and the start of a daemon that has them and was killed, with its decisions beside those of one \
      that went on. At last it says which goals are met.
      """,
    examples: [
      Example(
        "bench-latency", "Five rounds, then processor time, memory and starts; some minutes."),
      Example(
        "bench-latency --rounds 1 --seconds 0 --starts 0", "A short look at the delays alone."),
    ],
    options: [
      Option(
        "rounds", takes: .integer("N"), defaultValue: "5",
        help: "How often everything is measured in turns, 1 to 100."),
      Option(
        "fixes", takes: .integer("N"), defaultValue: "500",
        help: "How many fixes each measurement of delays has, 20 to 100000."),
      Option(
        "seconds", takes: .integer("N"), defaultValue: "10",
        help: "How long processor time is measured at each rate, 0 to 3600; 0 leaves it out."),
      Option(
        "conditions", takes: .integer("N"), defaultValue: "100000",
        help: "How many conditions there are when processor time is measured, 1 to 1000000."),
      Option(
        "starts", takes: .integer("N"), defaultValue: "3",
        help: """
          How often a daemon with many conditions is killed and started again, 0 to 20; 0 leaves it out.
          """),
      Option(
        "disk", takes: .file("DIRECTORY"), defaultValue: "/var/tmp",
        help: "Where the durable state is; a disk, not a tmpfs."),
      Option(
        "markdown", takes: .file("FILE"), help: "Also write the results as a page of documentation."
      ),
      Option("json", help: "Print one JSON object."),
    ])

  /// Runs the program with a command line, given without the program's name.
  package static func run(_ words: [String]) async -> ExitCode {
    await BenchmarkProgram.run(definition, words, measure)
  }

  /// The measurements that a command line asks for.
  static func settings(_ arguments: ParsedArguments) throws(UsageError) -> LatencyRun {
    let disk = try arguments.requiredString("disk")
    guard MachineBoot.idOfMemory(at: disk) == nil else {
      throw arguments.usageError("--disk \(disk) is in memory: nothing would be durable there")
    }
    return LatencyRun(
      rounds: try arguments.requiredInteger("rounds", in: 1...100),
      fixes: try arguments.requiredInteger("fixes", in: 20...100_000),
      seconds: try arguments.requiredInteger("seconds", in: 0...3600),
      conditions: try arguments.requiredInteger("conditions", in: 1...1_000_000),
      starts: try arguments.requiredInteger("starts", in: 0...20),
      disk: disk, tell: BenchmarkProgram.tell)
  }

  private static func measure(_ arguments: ParsedArguments) async throws -> ExitCode {
    let results = try await settings(arguments).play()
    try BenchmarkProgram.write(arguments.flag("json") ? results.json() : results.text)
    if let path = arguments.string("markdown") {
      try Data(results.markdown.utf8).write(to: URL(filePath: path))
    }
    return .success
  }
}
