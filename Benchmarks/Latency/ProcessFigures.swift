import BenchmarkSupport
import Glibc
import LinuxSystem
import TestSupport

/// What a process has used so far, as the kernel counts it.
struct ProcessFigures {
  /// The time on a processor of all its threads.
  var processorTime = Duration.zero
  /// How often its threads were woken: switches that they asked for.
  var wakeUps = 0

  /// The figures of a process, of which no thread has ended that had used much.
  init(of process: Int32) throws {
    for thread in try Self.threads(of: process) {
      let folder = "/proc/\(process)/task/\(thread)/"
      // Nanoseconds on a processor, waiting, and slices (sched-stats in the kernel's documentation).
      let counts = Self.text(folder + "schedstat")?.split(separator: " ") ?? []
      if let time = counts.first.flatMap({ Int64($0) }) {
        processorTime += .nanoseconds(time)
      }
      wakeUps += Self.field("voluntary_ctxt_switches", of: folder + "status") ?? 0
    }
  }

  /// The resident memory of a process, in KiB.
  static func memory(of process: Int32) -> Int {
    field("VmRSS", of: "/proc/\(process)/status") ?? 0
  }

  /// Whether all threads of a process are stopped, as by SIGSTOP.
  static func isStopped(_ process: Int32) throws -> Bool {
    try threads(of: process).allSatisfy { thread in
      text("/proc/\(process)/task/\(thread)/status")?.contains("\nState:\tT") ?? true
    }
  }

  private static func threads(of process: Int32) throws -> [String] {
    guard let folder = opendir("/proc/\(process)/task") else { throw Errno.last }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.first?.isNumber == true { names.append(name) }
    }
    return names
  }

  private static func text(_ path: String) -> String? {
    (try? FileContents.read(path, maximumBytes: 1 << 16))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func field(_ name: String, of path: String) -> Int? {
    guard let line = text(path)?.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
    else { return nil }
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}

/// Keeps all threads of a process on one processor.
func pin(_ process: Int32, to processor: Int) async throws {
  try await pin(process, to: "\(processor)")
}

/// Keeps all threads of a process on a list of processors, as ``processors(of:)`` tells it.
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
