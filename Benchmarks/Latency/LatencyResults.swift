/// The results of all measurements.
struct LatencyResults {
  /// The delays of one round; empty for what can't be measured here.
  struct Round {
    /// The C program, driven in the same way as the daemon.
    var program = Delays([])
    /// The C program's own measurement over pairs of sockets, in microseconds.
    var own50 = Double.nan
    var own99 = Double.nan
    var inMemory = Delays([])
    var onDisk = Delays([])
    var bareInMemory = Delays([])
    var bareOnDisk = Delays([])
    /// With a hundred fixes per second: pauses are longer, and caches and processor cool down.
    var slowProgram = Delays([])
    var slowInMemory = Delays([])
    var slowBareInMemory = Delays([])
    var gpsd = Delays([])
    var behindGPSD = Delays([])

    /// The daemon's delay in microseconds without the transaction that SQLite needs for an event.
    ///
    /// Both are measured on a tmpfs, so that neither waits for a disk.
    var withoutCommit50: Double { inMemory.p50.microseconds - bareInMemory.p50.microseconds }
    var withoutCommit99: Double { inMemory.p99.microseconds - bareInMemory.p50.microseconds }
  }

  /// Resident memory.
  struct Memory: Encodable {
    let conditions: Int
    let kibibytes: Int
  }

  /// The resources used by a daemon.
  struct Usage: Encodable {
    /// The situation of the daemon, in words.
    let situation: String
    let conditions: Int
    /// Fixes per second.
    let rate: Int
    /// The share of one processor's time, 0 to 1.
    let share: Double
    /// How often per second its threads were woken.
    let wakeUps: Double
  }

  /// The durations of something with a number of conditions.
  struct Times: Encodable {
    let conditions: Int
    var seconds: [Double]
  }

  /// The machine and the versions of the programs.
  let versions: [String]
  let rounds: Int
  let fixes: Int
  let seconds: Int

  /// The number of fixes per round at a hundred per second, and through the real gpsd.
  var slowFixes: Int { max(20, fixes / 5) }
  var gpsdFixes: Int { min(fixes, 200) }

  var delays: [Round] = []
  var memory: [Memory] = []
  var usage: [Usage] = []
  /// Imports into a daemon without conditions, in the order of their sizes.
  var imports: [Times] = []
  /// Starts after a kill, in the order of their sizes.
  var starts: [Times] = []
  /// The decisions of a daemon that was started after a kill, compared with those of one that went on.
  var comparison: DecisionComparison?

  /// A figure with its value in each round.
  struct Figure: Encodable {
    let name: String
    let unit: String
    let values: [Double]
  }

  /// All figures about delays, in microseconds, or as ratios of figures of the same round.
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

  /// The things that couldn't be measured.
  var missing: [String] {
    (delays.contains { !$0.program.isEmpty }
      ? [] : ["the C program isn't built: install libgps-dev; it needs a processor with AVX2"])
      + (delays.contains { !$0.gpsd.isEmpty } ? [] : ["gpsd isn't installed"])
  }
}

extension [LatencyResults.Times] {
  /// The times for a number of conditions; nil if there are none.
  func of(_ conditions: Int) -> LatencyResults.Times? { first { $0.conditions == conditions } }

  /// Adds a duration for a number of conditions.
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
