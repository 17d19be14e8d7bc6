import BenchmarkSupport

/// A goal for a figure, with its measured value.
struct LatencyGoal {
  let title: String
  let unit: String

  /// The measured value; the median of several rounds, unless the goal says otherwise.
  let value: Double

  /// The largest value that meets the goal.
  let limit: Double

  /// Whether the value is a count.
  var isCount = false

  var isMet: Bool { value <= limit }

  /// The goals with their values in some results; goals that weren't measured are left out.
  static func all(_ results: LatencyResults) -> [LatencyGoal] {
    func median(_ value: (LatencyResults.Round) -> Double) -> Double {
      results.delays.map(value).filter(\.isFinite).median
    }
    func memory(_ conditions: Int) -> Double {
      results.memory.first { $0.conditions == conditions }.map { Double($0.kibibytes) * 1.024e-3 }
        ?? .nan
    }
    let usage = results.usage.first { $0.rate == 10 && $0.conditions == 100_000 }
    let comparison = results.comparison.flatMap { $0.conditions == 1_000_000 ? $0 : nil }
    let goals = [
      LatencyGoal(
        title: "Without the commit, p50: at most 1.5× the C program", unit: "×",
        value: median { $0.withoutCommit50 / $0.program.p50.microseconds }, limit: 1.5),
      LatencyGoal(
        title: "Without the commit, p99: at most 2× the C program", unit: "×",
        value: median { $0.withoutCommit99 / $0.program.p99.microseconds }, limit: 2),
      LatencyGoal(
        title: "With the durable commit, p50: at most 1.5× the C program and 1.2× a bare commit",
        unit: "× that",
        value: median {
          $0.program.isEmpty
            ? .nan
            : $0.onDisk.p50.microseconds
              / (1.5 * $0.program.p50.microseconds + 1.2 * $0.bareOnDisk.p50.microseconds)
        }, limit: 1),
      LatencyGoal(
        title: "Processor time with 100,000 conditions at 10 fixes a second: at most 1 %",
        unit: "%", value: (usage?.share ?? .nan) * 100, limit: 1),
      LatencyGoal(
        title: "Resident without conditions: at most 16 MB", unit: "MB", value: memory(0),
        limit: 16),
      LatencyGoal(
        title: "Resident with a million conditions: at most 200 MB", unit: "MB",
        value: memory(1_000_000), limit: 200),
      LatencyGoal(
        title: "Import of 100,000 circles: at most 2 s", unit: "s",
        value: results.imports.of(100_000)?.seconds.median ?? .nan, limit: 2),
      LatencyGoal(
        title: "Start after a kill with a million conditions, the slowest: at most 3 s", unit: "s",
        value: results.starts.of(1_000_000)?.seconds.max() ?? .nan, limit: 3),
      LatencyGoal(
        title: "Decisions after a kill and a start, with a million conditions: the same",
        unit: "of \(comparison?.events ?? 0) events differ",
        value: comparison.map { Double($0.differing) } ?? .nan, limit: 0, isCount: true),
    ]
    return goals.filter { $0.value.isFinite }
  }
}
