import Foundation
import Geofencing
import Glibc
import LinuxSystem
import TestSupport

/// Everything that is measured, in turns.
struct LatencyRun {
  var rounds: Int
  var fixes: Int
  var seconds: Int
  var conditions: Int
  /// Where the durable state is.
  var disk: String
  /// The workload of the C program.
  var workload: String?
  /// Says what goes on.
  var tell: (String) -> Void

  /// A file system in memory, where waiting for the disk is nothing.
  static let memory = "/dev/shm"

  /// Fixes a second at which processor time is measured.
  private static let rates = [1, 10, 100]

  /// Where the measured programs run; the driver has the other one.
  private static var processor: Int? { ProcessInfo.processInfo.processorCount > 1 ? 1 : nil }

  func play() async throws -> LatencyResults {
    if let processor = Self.processor {
      try await pin(getpid(), to: processor - 1)
    }
    var results = LatencyResults(
      processors: ProcessInfo.processInfo.processorCount, rounds: rounds, fixes: fixes)
    try await measureDelays(&results)
    try await measureIdleness(&results)
    return results
  }

  private func measureDelays(_ results: inout LatencyResults) async throws {
    let floor = EndToEnd(workload: workload)
    let inMemory = try await MeasuredDaemon(in: Self.memory, processor: Self.processor)
    let onDisk = try await MeasuredDaemon(in: disk, processor: Self.processor)
    let folders = (try TemporaryFolder(in: Self.memory), try TemporaryFolder(in: disk))
    let bareInMemory = try BareCommit(in: folders.0.path)
    let bareOnDisk = try BareCommit(in: folders.1.path)
    let real =
      GPSDProcess.isInstalled
      ? try await RealGPSD(in: Self.memory, processor: Self.processor) : nil
    for round in 1...rounds {
      tell("Round \(round) of \(rounds)")
      var figures = LatencyResults.Round()
      if let floor { (figures.floor50, figures.floor99) = try await floor.delays() }
      figures.inMemory = Delays(try inMemory.delays(fixes))
      figures.bareInMemory = Delays(try bareInMemory.delays(fixes))
      figures.onDisk = Delays(try onDisk.delays(fixes))
      figures.bareOnDisk = Delays(try bareOnDisk.delays(fixes))
      if let real {
        let delays = try await real.delays(min(fixes, 200))
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
    for count in [0, 1_000, conditions] {
      tell("A daemon with \(count) conditions")
      let idle = try await IdleDaemon(conditions: count)
      // What the start alone needed is given back after some seconds.
      sleep(12)
      results.memory.append(.init(conditions: count, kibibytes: idle.memory))
      if count == 0 || count == conditions {
        for rate in [0] + (count == 0 ? [] : Self.rates) {
          results.usage.append(try await idle.usage(rate: rate, seconds: seconds))
        }
      }
      await idle.daemon.remove()
    }
  }
}
