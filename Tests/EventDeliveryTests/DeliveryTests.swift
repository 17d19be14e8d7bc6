import EventDelivery
import Geofencing
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A delivery` {
  /// A sink that remembers what it was given, and fails as often as a test says.
  private final class Sink: EventSink {
    struct Failure: Error, Equatable {}

    let name = "sink"
    let syncDelay: Duration? = .seconds(60)
    /// Counts the attempts.
    let attempts = SequenceSignal(latest: 0)
    private let log: MemoryLog
    private let state: Mutex<(batches: [[Int64]], cursors: [Int64], failures: Int)>

    /// Whether its delivery ends while it takes the first events.
    private let endsDelivery: Bool

    init(_ log: MemoryLog, failures: Int = 0, endsDelivery: Bool = false) {
      self.log = log
      self.endsDelivery = endsDelivery
      state = Mutex(([], [], failures))
    }

    var batches: [[Int64]] { state.withLock { $0.batches } }
    var cursorsBefore: [Int64] { state.withLock { $0.cursors } }

    func deliver(_ events: [Event]) async throws {
      let fails = state.withLock { state in
        state.batches.append(events.map(\.sequence))
        state.cursors.append(log.cursor("sink") ?? 0)
        defer { state.failures = max(0, state.failures - 1) }
        return state.failures > 0
      }
      if endsDelivery { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      attempts.advance()
      if fails { throw Failure() }
    }

    /// What it was told to have missed.
    let missed = Mutex<[Lagged]>([])

    func deliver(_ lagged: Lagged) async throws { missed.withLock { $0.append(lagged) } }
  }

  private final class Reports: Sendable {
    private let state = Mutex<[Bool]>([])
    /// For each report, whether it told of an error.
    var all: [Bool] { state.withLock { $0 } }
    func add(_ error: (any Error)?) { state.withLock { $0.append(error != nil) } }
  }

  /// Runs a delivery while the body lasts.
  private func run(
    _ sink: Sink, _ log: MemoryLog, clock: ManualClock = ManualClock(),
    reports: Reports = Reports(), _ body: () async throws -> Void
  ) async throws {
    let delivery = Delivery(to: sink, from: log, clock: clock) { reports.add($0) }
    try await withThrowingTaskGroup { group in
      group.addTask { await delivery.run() }
      try await body()
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  @Test func `says how long the sink may lose with the power what it took`() async throws {
    let log = MemoryLog()
    try await run(Sink(log), log) { try await log.asked.wait(after: 0) }
    #expect(log.syncDelay == .seconds(60))
    #expect(try #require(JournalSink { false }.syncDelay) > .seconds(300))
  }

  @Test func `brings every event in order, and keeps the place after the sink has it`()
    async throws
  {
    let log = MemoryLog(600)
    let sink = Sink(log)
    try await run(sink, log) {
      try await log.kept.wait(after: 599)
      log.append(2)
      try await log.kept.wait(after: 601)
    }
    #expect(sink.batches == [Array(1...256), Array(257...512), Array(513...600), [601, 602]])
    #expect(sink.cursorsBefore == [0, 256, 512, 600])
    #expect(log.cursor("sink") == 602)
  }

  @Test func `goes on where it was`() async throws {
    let log = MemoryLog(5)
    try await log.setCursor(of: EventConsumer(name: "sink"), to: 3)
    let sink = Sink(log)
    try await run(sink, log) { try await log.kept.wait(after: 4) }
    #expect(sink.batches == [[4, 5]])
  }

  @Test func `hears of an event that comes while it looks for one`() async throws {
    let log = MemoryLog()
    // Written after the log was read as empty, and announced before the delivery waits.
    log.afterReading { log.append(1) }
    let sink = Sink(log)
    try await run(sink, log) { try await sink.attempts.wait(after: 0) }
    #expect(sink.batches == [[1]])
  }

  @Test func `takes numbers whose events are gone for read`() async throws {
    let log = MemoryLog(3)
    log.dropEvents(through: 3)
    let sink = Sink(log)
    try await run(sink, log) {
      log.append(1)
      try await log.kept.wait(after: 3)
    }
    #expect(sink.batches == [[4]])
  }

  @Test func `tells what left the log before it could be told, and then what is left`()
    async throws
  {
    let log = MemoryLog(6)
    try await log.setCursor(of: EventConsumer(name: "sink"), to: 2)
    log.dropEvents(through: 5)
    let sink = Sink(log)
    try await run(sink, log) {
      try await log.kept.wait(after: 5)
    }
    #expect(sink.missed.withLock { $0 } == [Lagged(first: 3, last: 5, events: 3)])
    #expect(sink.batches == [[6]])
  }

  @Test func `tells that nothing is left, and waits for the next`() async throws {
    let log = MemoryLog(4)
    try await log.setCursor(of: EventConsumer(name: "sink"), to: 1)
    log.dropEvents(through: 4)
    let sink = Sink(log)
    try await run(sink, log) {
      try await log.kept.wait(after: 3)
      log.append(1)
      try await log.kept.wait(after: 4)
    }
    #expect(sink.missed.withLock { $0 } == [Lagged(first: 2, last: 4, events: 3)])
    #expect(sink.batches == [[5]])
  }

  @Test func `tries again with growing pauses, and loses nothing`() async throws {
    let log = MemoryLog(3)
    let sink = Sink(log, failures: 10)
    let clock = ManualClock()
    let reports = Reports()
    try await run(sink, log, clock: clock, reports: reports) {
      var pauses = [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30]
      for attempt in Int64(1)...10 {
        try await sink.attempts.wait(after: attempt - 1)
        await clock.waitForSleepers(1)
        let pause = Duration.seconds(pauses.removeFirst())
        #expect(clock.deadlines == [clock.now.advanced(by: pause)])
        #expect(sink.attempts.latest == attempt)
        #expect(log.cursor("sink") == nil)
        clock.advance(by: pause)
      }
      try await log.kept.wait(after: 2)
    }
    #expect(sink.batches == Array(repeating: [1, 2, 3], count: 11))
    #expect(reports.all == [true, false])
  }

  @Test func `keeps the place later when that failed, and brings nothing again`() async throws {
    let log = MemoryLog(2)
    log.failToKeepCursors(1)
    let sink = Sink(log)
    let clock = ManualClock()
    try await run(sink, log, clock: clock) {
      await clock.waitForSleepers(1)
      log.append(1)
      clock.advance(by: .milliseconds(250))
      try await log.kept.wait(after: 2)
    }
    #expect(sink.batches == [[1, 2], [3]])
  }

  @Test func `goes on though its place can't be kept`() async throws {
    let log = MemoryLog(600)
    log.failToKeepCursors(.max)
    let sink = Sink(log)
    let reports = Reports()
    let clock = ManualClock()
    try await run(sink, log, clock: clock, reports: reports) {
      await clock.waitForSleepers(1)
      #expect(sink.batches.joined().map(\.self) == Array(1...600))
      #expect(reports.all == [true])
      log.failToKeepCursors(0)
      clock.advance(by: .milliseconds(250))
      try await log.kept.wait(after: 599)
    }
    #expect(reports.all == [true, false])
    #expect(sink.batches.count == 3)
  }

  @Test func `begins with the shortest pause after it worked`() async throws {
    let log = MemoryLog(1)
    log.failToKeepCursors(2)
    let sink = Sink(log)
    let clock = ManualClock()
    let reports = Reports()
    try await run(sink, log, clock: clock, reports: reports) {
      for pause in [250, 500] {
        await clock.waitForSleepers(1)
        #expect(clock.deadlines == [clock.now.advanced(by: .milliseconds(pause))])
        clock.advance(by: .milliseconds(pause))
      }
      try await log.kept.wait(after: 0)
      log.failToKeepCursors(1)
      log.append(1)
      await clock.waitForSleepers(1)
      #expect(clock.deadlines == [clock.now.advanced(by: .milliseconds(250))])
      clock.advance(by: .milliseconds(250))
      try await log.kept.wait(after: 1)
    }
    #expect(reports.all == [true, false, true, false])
  }

  @Test func `ends quietly when it is cancelled, waiting or pausing`() async throws {
    let log = MemoryLog()
    try await run(Sink(log), log) {}
    log.append(1)
    let clock = ManualClock()
    try await run(Sink(log, failures: .max), log, clock: clock) { await clock.waitForSleepers(1) }
    #expect(log.cursor("sink") == nil)
  }

  @Test func `ends with its place kept, and brings nothing again at the next start`() async throws {
    let log = MemoryLog(3)
    try await run(Sink(log, endsDelivery: true), log) { try await log.kept.wait(after: 2) }
    #expect(log.cursor("sink") == 3)
    let next = Sink(log)
    try await run(next, log) {
      log.append(1)
      try await log.kept.wait(after: 3)
    }
    #expect(next.batches == [[4]])
  }

  @Test func `reads once when the newest events are gone, and then waits`() async throws {
    let log = MemoryLog(3)
    log.dropEvents(through: 3)
    try await run(Sink(log), log) {
      while log.reads == 0 { await Task.yield() }
      // Whoever reads again and again has its turns meanwhile.
      for _ in 0..<1000 { await Task.yield() }
    }
    #expect(log.reads == 1)
  }
}
