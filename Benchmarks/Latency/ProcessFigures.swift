import BenchmarkSupport
import Foundation
import Glibc
import LinuxSystem
import TestSupport

/// The resources used by a process, as the kernel counts them.
enum ProcessFigures {
  /// The processor time of all its threads so far, including those that have ended.
  static func processorTime(of process: Int32) throws -> Duration {
    var (clock, time) = (clockid_t(), timespec())
    let error = clock_getcpuclockid(process, &clock)
    guard error == 0 else { throw Errno(error) }
    guard clock_gettime(clock, &time) == 0 else { throw Errno.last }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Counts how often the threads of a process are woken, by their voluntary context switches.
  struct WakeUps {
    private let process: Int32
    /// The count of each thread at the last look; counts of threads that have ended are lost.
    private var seen: [String: Int] = [:]
    private(set) var count = 0

    /// Begins counting.
    init(of process: Int32) throws {
      self.process = process
      try look()
      count = 0
    }

    /// Adds the wake-ups since the last look; call it more often than threads come and go.
    mutating func look() throws {
      for thread in try threads(of: process) {
        let switches = FileContents.processStatus(
          "voluntary_ctxt_switches", of: "\(process)/task/\(thread)")
        guard let switches else { continue }
        count += switches - (seen[thread] ?? 0)
        seen[thread] = switches
      }
    }
  }

  /// The resident memory of a process, in KiB.
  static func memory(of process: Int32) -> Int {
    FileContents.processStatus("VmRSS", of: String(process)) ?? 0
  }

  /// Whether all threads of a process are stopped, as after SIGSTOP.
  static func isStopped(_ process: Int32) throws -> Bool {
    try threads(of: process).allSatisfy { thread in
      let status = try? FileContents.read(
        "/proc/\(process)/task/\(thread)/status", maximumBytes: 1 << 16)
      return status.map { String(decoding: $0, as: UTF8.self).contains("\nState:\tT") } ?? true
    }
  }

  private static func threads(of process: Int32) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
  }
}

/// Keeps all threads of a process on one processor.
func pin(_ process: Int32, to processor: Int) async throws {
  try await pin(process, to: "\(processor)")
}

/// Keeps all threads of a process on a list of processors, in the form of ``processors(of:)``.
func pin(_ process: Int32, to processors: String) async throws {
  let result = try await Command(["taskset", "-a", "-p", "-c", processors, "\(process)"]).run()
  guard result.status == 0 else { throw BenchmarkFailure(result.errors) }
}

/// The list of processors on which a process may run.
func processors(of process: Int32) async throws -> String {
  let result = try await Command(["taskset", "-p", "-c", "\(process)"]).run()
  guard result.status == 0, let list = result.lines.first?.split(separator: " ").last else {
    throw BenchmarkFailure(result.errors)
  }
  return String(list)
}
