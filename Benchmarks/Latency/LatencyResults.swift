/// What was measured.
struct LatencyResults {
  /// Delays in one round; those of what isn't there are empty.
  struct Round {
    /// The C program, driven as the daemon is.
    var program = Delays([])
    /// The C program's own measure over pairs of sockets, in microseconds.
    var own50 = Double.nan
    var own99 = Double.nan
    var inMemory = Delays([])
    var onDisk = Delays([])
    var bareInMemory = Delays([])
    var bareOnDisk = Delays([])
    /// A hundred fixes a second: longer pauses, in which caches and processor cool down.
    var slowProgram = Delays([])
    var slowInMemory = Delays([])
    var slowBareInMemory = Delays([])
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
    /// What it was doing, in words.
    let situation: String
    let conditions: Int
    /// Fixes a second.
    let rate: Int
    /// The share of one processor, 0 to 1.
    let share: Double
    /// How often a second its threads were woken.
    let wakeUps: Double
  }

  /// How long something took with so many conditions, each time.
  struct Times: Encodable {
    let conditions: Int
    var seconds: [Double]
  }

  /// What it was measured on and with.
  let versions: [String]
  let rounds: Int
  let fixes: Int
  let seconds: Int

  /// How many fixes a round has where they come a hundred a second, and through the real gpsd.
  var slowFixes: Int { max(20, fixes / 5) }
  var gpsdFixes: Int { min(fixes, 200) }

  var delays: [Round] = []
  var memory: [Memory] = []
  var usage: [Usage] = []
  /// Imports into a daemon without conditions, in the order of their sizes.
  var imports: [Times] = []
  /// Starts after a kill, in the order of their sizes.
  var starts: [Times] = []
  /// What a daemon that was started after a kill decided, beside one that went on.
  var comparison: DecisionComparison?

  /// A figure of each round.
  struct Figure: Encodable {
    let name: String
    let unit: String
    let values: [Double]
  }

  /// All that comes of the delays, in microseconds or as ratios of what was measured in the same round.
  var figures: [Figure] {
    func figure(_ name: String, unit: String = "µs", _ value: (Round) -> Double) -> Figure {
      Figure(name: name, unit: unit, values: delays.map(value).filter(\.isFinite))
    }
    func both(_ name: String, _ value: @escaping (Round) -> Delays) -> [Figure] {
      [
        figure(name + ", p50") { value($0).isEmpty ? .nan : value($0).p50.microseconds },
        figure(name + ", p99") { value($0).isEmpty ? .nan : value($0).p99.microseconds },
      ]
    }
    let all =
      both("C program") { $0.program }
      + [
        figure("C program over pairs of sockets, p50") { $0.own50 },
        figure("C program over pairs of sockets, p99") { $0.own99 },
      ] + both("daemon on a tmpfs") { $0.inMemory }
      + both("bare transaction on a tmpfs") { $0.bareInMemory }
      + [
        figure("daemon without the commit, p50") { $0.withoutCommit50 },
        figure("daemon without the commit, p99") { $0.withoutCommit99 },
        figure("without the commit / C program, p50", unit: "×") {
          $0.withoutCommit50 / $0.program.p50.microseconds
        },
        figure("without the commit / C program, p99", unit: "×") {
          $0.withoutCommit99 / $0.program.p99.microseconds
        },
        figure("without the commit / C program over pairs of sockets, p50", unit: "×") {
          $0.withoutCommit50 / $0.own50
        },
      ] + both("bare durable transaction") { $0.bareOnDisk }
      + both("daemon with durable commit") { $0.onDisk }
      + both("C program, a hundred fixes a second") { $0.slowProgram }
      + both("daemon on a tmpfs, a hundred fixes a second") { $0.slowInMemory }
      + both("bare transaction on a tmpfs, a hundred a second") { $0.slowBareInMemory }
      + both("real gpsd, from the receiver's last byte to its report") { $0.gpsd }
      + both("from that report to the event, without the disk") { $0.behindGPSD }
    return all.filter { !$0.values.isEmpty }
  }

  /// What couldn't be measured.
  var missing: [String] {
    (delays.contains { !$0.program.isEmpty }
      ? [] : ["the C program isn't built: install libgps-dev; it needs a processor with AVX2"])
      + (delays.contains { !$0.gpsd.isEmpty } ? [] : ["gpsd isn't installed"])
  }
}

extension [LatencyResults.Times] {
  /// Those with so many conditions.
  func of(_ conditions: Int) -> LatencyResults.Times? { first { $0.conditions == conditions } }

  /// Adds how long something took with so many conditions.
  mutating func add(_ time: Duration, of conditions: Int) {
    let seconds = time / .seconds(1)
    if let place = firstIndex(where: { $0.conditions == conditions }) {
      self[place].seconds.append(seconds)
    } else {
      append(.init(conditions: conditions, seconds: [seconds]))
      sort { $0.conditions < $1.conditions }
    }
  }
}
