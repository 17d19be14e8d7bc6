import JSONCoding

/// What was measured.
struct LatencyResults {
  /// Delays in one round; the C program's in microseconds, NaN without it.
  struct Round {
    var floor50 = Double.nan
    var floor99 = Double.nan
    var inMemory = Delays([])
    var onDisk = Delays([])
    var bareInMemory = Delays([])
    var bareOnDisk = Delays([])
    var gpsd = Delays([])
    var behindGPSD = Delays([])

    /// What is left of the daemon's delay without the transaction that SQLite needs for an event: both
    /// on a tmpfs, so that neither waits for a disk; microseconds.
    var withoutCommit50: Double { inMemory.p50.microseconds - bareInMemory.p50.microseconds }
    var withoutCommit99: Double { inMemory.p99.microseconds - bareInMemory.p50.microseconds }
  }

  /// Resident memory.
  struct Memory: Encodable {
    let conditions: Int
    let kibibytes: Int
  }

  /// What a daemon used.
  struct Usage: Encodable {
    let conditions: Int
    /// Fixes a second.
    let rate: Int
    /// The share of one processor, 0 to 1.
    let share: Double
    /// How often a second its threads were woken.
    let wakeUps: Double
  }

  let processors: Int
  let rounds: Int
  let fixes: Int
  var delays: [Round] = []
  var memory: [Memory] = []
  var usage: [Usage] = []

  /// A figure of each round.
  struct Figure {
    let name: String
    let values: [Double]
    var unit = "µs"
  }

  /// All that comes of the delays, in microseconds or as ratios of what was measured in the same round.
  var figures: [Figure] {
    func figure(_ name: String, unit: String = "µs", _ value: (Round) -> Double) -> Figure {
      Figure(name: name, values: delays.map(value).filter(\.isFinite), unit: unit)
    }
    let all = [
      figure("C program, p50") { $0.floor50 },
      figure("C program, p99") { $0.floor99 },
      figure("daemon on a tmpfs, p50") { $0.inMemory.p50.microseconds },
      figure("daemon on a tmpfs, p99") { $0.inMemory.p99.microseconds },
      figure("bare transaction on a tmpfs, p50") { $0.bareInMemory.p50.microseconds },
      figure("daemon without the commit, p50") { $0.withoutCommit50 },
      figure("daemon without the commit, p99") { $0.withoutCommit99 },
      figure("without the commit / C program, p50", unit: "×") { $0.withoutCommit50 / $0.floor50 },
      figure("without the commit / C program, p99", unit: "×") { $0.withoutCommit99 / $0.floor99 },
      figure("daemon on a tmpfs / C program, p50", unit: "×") {
        $0.inMemory.p50.microseconds / $0.floor50
      },
      figure("bare durable transaction, p50") { $0.bareOnDisk.p50.microseconds },
      figure("bare durable transaction, p99") { $0.bareOnDisk.p99.microseconds },
      figure("daemon with durable commit, p50") { $0.onDisk.p50.microseconds },
      figure("daemon with durable commit, p99") { $0.onDisk.p99.microseconds },
      figure("durable / (without the commit + 1.2 bare durable ones), p50", unit: "×") {
        $0.onDisk.p50.microseconds
          / ($0.withoutCommit50 + 1.2 * $0.bareOnDisk.p50.microseconds)
      },
      figure("real gpsd, from the receiver's last byte to its report, p50") {
        $0.gpsd.sorted.isEmpty ? .nan : $0.gpsd.p50.microseconds
      },
      figure("from that report to the event, without the disk, p50") {
        $0.behindGPSD.sorted.isEmpty ? .nan : $0.behindGPSD.p50.microseconds
      },
    ]
    return all.filter { !$0.values.isEmpty }
  }

  /// What couldn't be measured.
  private var missing: [String] {
    let names = Set(figures.map(\.name))
    return
      (names.contains("C program, p50")
      ? []
      : ["the C program: build it (make -C Benchmarks/Peers end-to-end) and give --workload"])
      + (delays.contains { !$0.gpsd.sorted.isEmpty } ? [] : ["gpsd isn't installed"])
  }

  /// For people.
  var text: String {
    var lines = figures.map { figure in
      Self.padded(figure.name, 66) + Self.padded(Self.digits(figure.values.median), 9, left: true)
        + " \(figure.unit)   \(Self.spread(figure))"
    }
    lines += missing.map { "missing: \($0)" }
    lines += memory.map { "resident with \($0.conditions) conditions: \($0.kibibytes) KiB" }
    lines += usage.map {
      "\($0.conditions) conditions, \($0.rate) fixes a second: \(Self.digits($0.share * 100)) % of a "
        + "processor, \(Self.digits($0.wakeUps)) wake-ups a second"
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// A page of the documentation.
  var markdown: String {
    """
    # From a fix to an event

    Made by `make bench-latency` on a machine with \(processors) processors, in \(rounds) rounds of \
    \(fixes) fixes, each of which causes one event; medians of the rounds, and their spread. A delay \
    is from the writing of gpsd's report to the event's line on the events socket. On a tmpfs the \
    daemon runs the same code with the same transactions, and there is no disk to wait for; without \
    the commit is that less a bare SQLite transaction of the same rows, on the same tmpfs. The C \
    program is `Benchmarks/Peers/end-to-end.c`, which stores nothing.

    | | median | spread |
    |---|---|---|
    \(figures.map { "| \($0.name) | \(Self.digits($0.values.median)) \($0.unit) | \(Self.spread($0)) |" }
      .joined(separator: "\n"))

    \(missing.map { "Missing: \($0).\n\n" }.joined())## What it uses

    | conditions | resident memory |
    |---|---|
    \(memory.map { "| \($0.conditions) | \(Self.digits(Double($0.kibibytes) / 1024)) MiB |" }
      .joined(separator: "\n"))

    | conditions | fixes a second | of one processor | wake-ups a second |
    |---|---|---|---|
    \(usage.map {
      "| \($0.conditions) | \($0.rate) | \(Self.digits($0.share * 100)) % | \(Self.digits($0.wakeUps)) |"
    }.joined(separator: "\n"))

    """
  }

  private struct JSON: Encodable {
    struct Entry: Encodable {
      let name: String
      let unit: String
      let values: [Double]
    }
    let figures: [Entry]
    let missing: [String]
    let memory: [Memory]
    let usage: [Usage]
  }

  /// For programs: all values of all rounds, on a line.
  func json() throws -> String {
    try CanonicalJSON.text(
      JSON(
        figures: figures.map { .init(name: $0.name, unit: $0.unit, values: $0.values) },
        missing: missing, memory: memory, usage: usage)) + "\n"
  }

  private static func spread(_ figure: Figure) -> String {
    "\(digits(figure.values.min() ?? .nan))–\(digits(figure.values.max() ?? .nan))"
  }

  private static func digits(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    let places = abs(value) < 1 ? 3 : abs(value) < 100 ? 2 : 0
    let scale = places == 3 ? 1000.0 : places == 2 ? 100.0 : 1.0
    let units = Int((abs(value) * scale).rounded())
    guard places > 0 else { return "\(value < 0 ? "-" : "")\(units)" }
    let fraction = String(units % Int(scale))
    return "\(value < 0 ? "-" : "")\(units / Int(scale))."
      + String(repeating: "0", count: places - fraction.count) + fraction
  }

  private static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return left ? space + text : text + space
  }
}
