import BenchmarkSupport
import JSONCoding

/// The results as texts.
extension LatencyResults {
  private var goals: [LatencyGoal] { LatencyGoal.all(self) }

  private static func outcome(_ goal: LatencyGoal) -> String {
    "\(goal.isCount ? "\(Int(goal.value))" : digits(goal.value)) \(goal.unit), "
      + (goal.isMet ? "met" : "not met")
  }

  /// The text for people.
  var text: String {
    var lines = figures.map { figure in
      figure.name.padded(66) + Self.digits(figure.values.median).padded(9, left: true)
        + " \(figure.unit)   \(Self.spread(figure))"
    }
    lines += missing.map { "missing: \($0)" }
    lines += memory.map { "resident with \($0.conditions) conditions: \($0.kibibytes) KiB" }
    lines += usage.map {
      "\($0.conditions) conditions, \($0.situation): \(Self.digits($0.share * 100)) % of a "
        + "processor, \(Self.digits($0.wakeUps)) wake-ups a second"
    }
    lines += imports.map { "import of \($0.conditions) conditions: \(Self.told($0))" }
    lines += starts.map { "start after a kill with \($0.conditions) conditions: \(Self.told($0))" }
    if let comparison {
      lines.append(
        "events after the start that differ: \(comparison.differing) of \(comparison.events), "
          + "\(comparison.differingInProbability) of them in the probability alone")
      lines += comparison.differences.map { "differs: \($0)" }
    }
    lines += goals.map { "goal: \($0.title): \(Self.outcome($0))" }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The page of the documentation.
  var markdown: String {
    """
    # From a fix to an event

    Written by `make bench-latency`: \(rounds) rounds of \(fixes) fixes (\(slowFixes) where a \
    hundred come in a second, \(gpsdFixes) through the real gpsd), each of which causes one event. \
    The values are medians of the rounds, and the least and the most. \
    \(versions.joined(separator: "; ")).

    A delay is the time from the writing of gpsd's report to the event's line on the events \
    socket. Before each fix there is a pause of 0.2 ms, or of 10 ms at a hundred a second. The C \
    program is `Benchmarks/Peers/end-to-end.c`: libgps, a grid of circles, a line of JSON; nothing \
    is stored. It gets the same fixes from the same driver on the same kinds of sockets, and runs \
    on the same core; the driver has the other one. Over pairs of sockets its own time is \
    measured, without TCP.

    The bare transaction writes the rows that an event makes the daemon write, into the same \
    tables, on the same core after the same pause. On a tmpfs there is no disk to wait for. \
    "Without the commit" is the daemon's delay there less the bare transaction's p50 there. What \
    else ran on the machine shows in the spread.

    | goal | |
    |---|---|
    \(goals.map { "| \($0.title) | \(Self.outcome($0)) |" }.joined(separator: "\n"))

    | | median | spread |
    |---|---|---|
    \(figures.map { "| \($0.name) | \(Self.digits($0.values.median)) \($0.unit) | \(Self.spread($0)) |" }
      .joined(separator: "\n"))

    \(missing.map { "Missing: \($0).\n\n" }.joined())## What it uses

    Resident memory after the memory that only the start needs was given back; processor time and \
    wake-ups of all threads over \(seconds) s. In a pause the receiver is released and nothing \
    comes.

    | conditions | resident memory |
    |---|---|
    \(memory.map { "| \($0.conditions) | \(Self.digits(Double($0.kibibytes) / 1024)) MiB |" }
      .joined(separator: "\n"))

    | conditions | | of one processor | wake-ups a second |
    |---|---|---|---|
    \(usage.map {
      "| \($0.conditions) | \($0.situation) | \(Self.digits($0.share * 100)) % | \(Self.digits($0.wakeUps)) |"
    }.joined(separator: "\n"))
    \(startSection)
    """
  }

  /// The page's section about imports and starts; empty if nothing was measured.
  private var startSection: String {
    guard !imports.isEmpty || !starts.isEmpty else { return "" }
    let sizes = Set((imports + starts).map(\.conditions)).sorted()
    let rows = sizes.map { size in
      "| \(size) | \(imports.of(size).map(Self.told) ?? "–") | \(starts.of(size).map(Self.told) ?? "–") |"
    }
    return """

      ## How it starts

      An import is `geofenced ctl import` of a file of circles into a daemon without conditions, \
      from the start of that program to its end, when everything is on the disk. A start is that \
      of a daemon that was killed on a journey, from its launch until it tells the service manager \
      `READY=1`; its files are still in memory. The values are medians, and the least and the \
      most.

      | conditions | import | start after a kill |
      |---|---|---|
      \(rows.joined(separator: "\n"))
      \(comparison.map(Self.paragraph) ?? "")
      """
  }

  private static func paragraph(_ comparison: DecisionComparison) -> String {
    """

    A daemon with \(comparison.conditions) conditions was stopped after a drive and a rest, and \
    another one started with a copy of what the first had written, as after a kill. Then both got \
    the same drive: of \(comparison.events) events, \(comparison.differing) differ in condition, \
    kind, state, date, fix, distance, probability, visit or duration, \
    \(comparison.differingInProbability) of them only in the probability.

    """
  }

  private static func told(_ times: Times) -> String {
    "\(digits(times.seconds.median)) s"
      + (times.seconds.count > 1
        ? " (\(digits(times.seconds.min() ?? .nan))–\(digits(times.seconds.max() ?? .nan)))" : "")
  }

  private struct JSON: Encodable {
    let figures: [Figure]
    let missing: [String]
    let memory: [Memory]
    let usage: [Usage]
    let imports: [Times]
    let starts: [Times]
    let comparison: DecisionComparison?
    let versions: [String]
  }

  /// The line of JSON for programs, with all values of all rounds.
  func json() throws -> String {
    try CanonicalJSON.text(
      JSON(
        figures: figures, missing: missing, memory: memory, usage: usage, imports: imports,
        starts: starts, comparison: comparison, versions: versions))
      + "\n"
  }

  private static func spread(_ figure: Figure) -> String {
    "\(digits(figure.values.min() ?? .nan))–\(digits(figure.values.max() ?? .nan))"
  }

  private static func digits(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    let places = abs(value) < 1 ? 3 : abs(value) < 100 ? 2 : 0
    return decimal(value, places: places)
  }
}
