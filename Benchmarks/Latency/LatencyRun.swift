import ConditionBenchmark
import Foundation
import Glibc
import SQLite
import TestSupport

/// All measurements, in rounds.
struct LatencyRun {
  var rounds: Int
  var fixes: Int
  var seconds: Int
  var conditions: Int
  /// How often a daemon with many conditions is killed and started again.
  var starts: Int
  /// The folder for durable state.
  var disk: String
  /// Called with what is being done.
  var tell: (String) -> Void

  /// A file system in memory, where nothing waits for a disk.
  static let memory = "/dev/shm"

  /// The rates, in fixes per second, at which processor time is measured.
  private static let rates = [1, 10, 100]

  /// The numbers of conditions with which resident memory is measured, besides the number for processor time.
  private static let sizes = [0, 1_000, 100_000, 1_000_000]

  /// The numbers of conditions with which daemons are killed and started again; decisions are compared with the largest
  /// of them.
  private static let startSizes = [1_000, 100_000, 1_000_000]

  /// The time before a fix, so that all processes sleep when it comes, while caches are still warm.
  private static let pause = Duration.microseconds(200)

  /// The time before a fix at a hundred fixes per second.
  private static let longPause = Duration.milliseconds(10)

  /// The processor of the measured programs, if there are two; the driver runs on the other one.
  private static var processor: Int? { ProcessInfo.processInfo.processorCount > 1 ? 1 : nil }

  func play() async throws -> LatencyResults {
    let everywhere = try await processors(of: getpid())
    try await pinDriver()
    var results = LatencyResults(
      versions: try await versions(), rounds: rounds, fixes: fixes, seconds: seconds)
    try await measureDelays(&results)
    // Programs started from here on may use the whole machine, as usual.
    try await pin(getpid(), to: everywhere)
    try await measureIdleness(&results)
    try await measureStarts(&results)
    return results
  }

  private func pinDriver() async throws {
    if let processor = Self.processor { try await pin(getpid(), to: processor - 1) }
  }

  /// Measures in this process, on the processor of the measured programs.
  private func onTheirs(_ measure: () throws -> [Duration]) async throws -> Delays {
    if let processor = Self.processor { try await pin(getpid(), to: processor) }
    let delays = Delays(try measure())
    try await pinDriver()
    return delays
  }

  private func versions() async throws -> [String] {
    let connection = try Connection(path: ":memory:")
    let sqlite = try connection.query("SELECT sqlite_version()").first?.first?.text ?? "?"
    let daemon = try await DaemonProcess.run(["--version"]).lines.first ?? "geofenced"
    let gpsd = (try? await Command(["gpsd", "-V"]).run())?.lines.first ?? "no gpsd"
    return [Machine.description, daemon, "SQLite \(sqlite)", gpsd]
  }

  private func measureDelays(_ results: inout LatencyResults) async throws {
    let program =
      MeasuredProgram.isBuilt ? try await MeasuredProgram(processor: Self.processor) : nil
    let inMemory = try await MeasuredDaemon(in: Self.memory, processor: Self.processor)
    let onDisk = try await MeasuredDaemon(in: disk, processor: Self.processor)
    let folders = (try TemporaryFolder(in: Self.memory), try TemporaryFolder(in: disk))
    let rows = try inMemory.lastRows()
    let bareInMemory = try BareCommit(rows, in: folders.0.path)
    let bareOnDisk = try BareCommit(rows, in: folders.1.path)
    let real =
      GPSDProcess.isInstalled
      ? try await RealGPSD(in: Self.memory, processor: Self.processor) : nil
    let (pause, long, few) = (Self.pause, Self.longPause, results.slowFixes)
    for round in 1...rounds {
      tell("Round \(round) of \(rounds)")
      var figures = LatencyResults.Round()
      if let program {
        figures.program = Delays(try program.driver.delays(fixes, pause: pause))
        figures.slowProgram = Delays(try program.driver.delays(few, pause: long))
        (figures.own50, figures.own99) = try await MeasuredProgram.ownDelays()
      }
      figures.inMemory = Delays(try inMemory.driver.delays(fixes, pause: pause))
      figures.slowInMemory = Delays(try inMemory.driver.delays(few, pause: long))
      figures.bareInMemory = try await onTheirs { try bareInMemory.delays(fixes, pause: pause) }
      figures.slowBareInMemory = try await onTheirs { try bareInMemory.delays(few, pause: long) }
      figures.onDisk = Delays(try onDisk.driver.delays(fixes, pause: pause))
      figures.bareOnDisk = try await onTheirs { try bareOnDisk.delays(fixes, pause: pause) }
      if let real {
        let delays = try await real.delays(results.gpsdFixes)
        figures.gpsd = Delays(delays.gpsd)
        figures.behindGPSD = Delays(delays.event)
      }
      results.delays.append(figures)
    }
    await inMemory.daemon.remove()
    await onDisk.daemon.remove()
    await real?.remove()
  }

  private func measureIdleness(_ results: inout LatencyResults) async throws {
    guard seconds > 0 else { return }
    for count in Set(Self.sizes + [conditions]).sorted() {
      tell("A daemon with \(count) conditions")
      let idle = try await IdleDaemon(conditions: count, in: disk)
      if count > 0 { results.imports.add(idle.importTime, of: count) }
      results.memory.append(.init(conditions: count, kibibytes: try await idle.memory()))
      if count == 0 {
        results.usage.append(try await idle.usage("nothing to do", rate: 0, seconds: seconds))
      }
      if count == conditions {
        try await idle.settle()
        for rate in Self.rates {
          results.usage.append(
            try await idle.usage(
              rate == 1 ? "a fix a second" : "\(rate) fixes a second", rate: rate, seconds: seconds)
          )
        }
        try await idle.rest()
        results.usage.append(try await idle.usage("paused", rate: 0, seconds: seconds))
      }
      await idle.daemon.remove()
    }
  }

  private func measureStarts(_ results: inout LatencyResults) async throws {
    guard starts > 0 else { return }
    for count in Self.startSizes {
      tell("A daemon with \(count) conditions, killed and started again")
      try await StartMeasurement(
        conditions: count, starts: starts, isCompared: count == Self.startSizes.last, folder: disk
      ).play(&results)
    }
  }
}
