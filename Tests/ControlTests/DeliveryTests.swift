import EventDelivery
import Foundation
import Geofencing
import JSONCoding
import LinuxSystem
import Synchronization
import TestSupport
import Testing

/// An event log in memory, which fails when a test says so.
final class MemoryLog: EventSource {
  struct Failure: Error {}

  let signal = SequenceSignal(latest: 0)

  /// Grows with each cursor that is kept, to the place that was kept.
  let kept = SequenceSignal(latest: 0)

  /// Counts how often a consumer was told its place.
  let asked = SequenceSignal(latest: 0)

  private struct State {
    var latest: Int64 = 0
    var asked: Int64 = 0
    var events: [Event] = []
    /// The events that are gone.
    var dropped: [Event] = []
    var cursors: [String: Int64] = [:]
    var cursorFailures = 0
    var afterReading: (@Sendable () -> Void)?
    var gate: SequenceSignal?
  }

  private let state = Mutex(State())

  /// Appends events and tells of them.
  func append(_ count: Int, user: UInt32 = getuid(), padding: Int = 0) {
    let latest = state.withLock { state in
      for _ in 0..<count {
        state.latest += 1
        let sequence = state.latest
        let monitor = MonitorKey(user: user, name: "m" + String(repeating: "x", count: padding))
        state.events.append(
          Event(
            sequence: sequence, log: "log", recorded: Timestamp(nanoseconds: 0),
            transition: Transition(
              key: ConditionKey(monitor: monitor, identifier: "c\(sequence)"), kind: .entered,
              state: .satisfied, previousState: .unsatisfied, date: Timestamp(nanoseconds: 0))))
      }
      return state.latest
    }
    signal.announce(latest)
  }

  /// Drops all events, as retention does; their numbers stay used.
  func dropEvents(through sequence: Int64) {
    state.withLock { state in
      state.dropped += state.events.filter { $0.sequence <= sequence }
      state.events.removeAll { $0.sequence <= sequence }
    }
  }

  func cursor(_ name: String) -> Int64? { state.withLock { $0.cursors[name] } }

  func failToKeepCursors(_ count: Int) { state.withLock { $0.cursorFailures = count } }

  /// Does something once, between reading the events and handing them over.
  func afterReading(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.afterReading = body }
  }

  /// Answers questions for cursors only when the signal is announced.
  func holdCursors(until gate: SequenceSignal) { state.withLock { $0.gate = gate } }

  func events(
    after sequence: Int64, for consumer: EventConsumer, limit: Int
  ) async throws -> (events: [LoggedEvent], lagged: Lagged?) {
    let (events, lagged, hook) = state.withLock { state in
      defer { state.afterReading = nil }
      func isWanted(_ event: Event) -> Bool {
        event.sequence > sequence
          && (consumer.user == nil || event.transition.key.monitor.user == consumer.user)
      }
      let events = state.events.filter(isWanted).prefix(limit)
      // A log remembers what it dropped for those whose place it knew.
      let missed = state.cursors[consumer.name] == nil ? [] : state.dropped.filter(isWanted)
      let lagged = missed.first.map { first in
        Lagged(
          first: first.sequence, last: missed.last?.sequence ?? first.sequence,
          events: missed.count)
      }
      return (Array(events), lagged, state.afterReading)
    }
    hook?()
    return (try events.map { try LoggedEvent($0) }, lagged)
  }

  func cursor(of consumer: EventConsumer) async throws -> Int64 {
    if let gate = state.withLock({ $0.gate }) { try await gate.wait(after: 0) }
    let (place, count) = state.withLock { state in
      state.asked += 1
      return (state.cursors[consumer.name] ?? 0, state.asked)
    }
    asked.announce(count)
    return place
  }

  func setCursor(of consumer: EventConsumer, to sequence: Int64) async throws {
    try state.withLock { state in
      guard state.cursorFailures == 0 else {
        state.cursorFailures -= 1
        throw Failure()
      }
      state.cursors[consumer.name] = sequence
    }
    kept.announce(sequence)
  }
}

@Suite(.timeLimit(.minutes(10))) struct `A delivery` {
  /// A sink that remembers what it was given, and fails as often as a test says.
  private final class Sink: EventSink {
    struct Failure: Error, Equatable {}

    let name = "sink"
    /// Counts the attempts.
    let attempts = SequenceSignal(latest: 0)
    private let log: MemoryLog
    private let state: Mutex<(batches: [[Int64]], cursors: [Int64], failures: Int)>

    init(_ log: MemoryLog, failures: Int = 0) {
      self.log = log
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
      attempts.announce(attempts.latest + 1)
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
      group.addTask { try await delivery.run() }
      try await body()
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  @Test func `brings every event in order, and keeps the place after the sink has it`()
    async throws
  {
    let log = MemoryLog()
    log.append(600)
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
    let log = MemoryLog()
    log.append(5)
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
    let log = MemoryLog()
    log.append(3)
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
    let log = MemoryLog()
    log.append(6)
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
    let log = MemoryLog()
    log.append(4)
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
    let log = MemoryLog()
    log.append(3)
    let sink = Sink(log, failures: 10)
    let clock = ManualClock()
    let reports = Reports()
    try await run(sink, log, clock: clock, reports: reports) {
      var pauses = [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30]
      for attempt in Int64(1)...10 {
        try await sink.attempts.wait(after: attempt - 1)
        await clock.waitForSleepers(1)
        let pause = Duration.seconds(pauses.removeFirst())
        clock.advance(by: pause - .nanoseconds(1))
        #expect(sink.attempts.latest == attempt)
        #expect(log.cursor("sink") == nil)
        clock.advance(by: .nanoseconds(1))
      }
      try await log.kept.wait(after: 2)
    }
    #expect(sink.batches == Array(repeating: [1, 2, 3], count: 11))
    #expect(reports.all == [true, false])
  }

  @Test func `keeps the place later when that failed, and brings nothing again`() async throws {
    let log = MemoryLog()
    log.append(2)
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

  @Test func `begins with the shortest pause after it worked`() async throws {
    let log = MemoryLog()
    log.append(1)
    log.failToKeepCursors(2)
    let sink = Sink(log)
    let clock = ManualClock()
    let reports = Reports()
    try await run(sink, log, clock: clock, reports: reports) {
      for pause in [250, 500] {
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(pause))
      }
      try await log.kept.wait(after: 0)
      log.failToKeepCursors(1)
      log.append(1)
      await clock.waitForSleepers(1)
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
}

@Suite(.timeLimit(.minutes(10))) struct `A sequence signal` {
  @Test func `only grows`() async throws {
    let signal = SequenceSignal(latest: 5)
    signal.announce(3)
    #expect(signal.latest == 5)
    signal.announce(9)
    #expect(signal.latest == 9)
    try await signal.wait(after: 8)
  }

  @Test func `wakes exactly those who wait for less`() async throws {
    let signal = SequenceSignal(latest: 0)
    await withTaskGroup { group in
      for number in Int64(0)..<50 {
        group.addTask {
          try? await signal.wait(after: number)
          #expect(signal.latest > number)
        }
      }
      for number in Int64(1)...50 {
        signal.announce(number)
        await group.next()
      }
    }
  }

  @Test func `refuses who is cancelled already, unless there is nothing to wait for`() async {
    let signal = SequenceSignal(latest: 1)
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask {
        await #expect(throws: CancellationError.self) { try await signal.wait(after: 1) }
      }
    }
  }

  @Test func `leaves nobody waiting when announcing and cancelling race`() async throws {
    for round in 0..<100 {
      let signal = SequenceSignal(latest: 0)
      let outcomes = await withTaskGroup(of: Bool.self) { group in
        for index in 0..<40 {
          group.addTask { (try? await signal.wait(after: Int64(index % 4))) != nil }
        }
        group.addTask {
          for number in Int64(1)...3 {
            signal.announce(number)
            await Task.yield()
          }
          return true
        }
        if round.isMultiple(of: 2) { await Task.yield() }
        group.cancelAll()
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect((1...31).contains(outcomes))
    }
  }
}

@Suite struct `A journal entry` {
  private var transition: Transition {
    get throws {
      var transition = Transition(
        key: ConditionKey(
          monitor: MonitorKey(user: 1000, name: "work"), identifier: "home"),
        kind: .exited, state: .unsatisfied, previousState: .satisfied,
        date: try #require(Timestamp(rfc3339: "2026-01-01T00:00:12.250Z")))
      transition.location = Location(
        timestamp: transition.date,
        coordinate: try Coordinate(validLatitude: 47.25, longitude: 8.5), horizontalAccuracy: 4.5,
        isSimulated: true)
      transition.distance = 51.25
      transition.probability = 0.001
      transition.bounds = transition.date + .seconds(-60)...transition.date
      transition.visit = Visit(of: "home", began: transition.date + .seconds(-90))
      transition.duration = .milliseconds(90_500)
      transition.reason = .removed
      return transition
    }
  }

  private func lines(_ transition: Transition, withCoordinates: Bool) throws -> [String] {
    let event = Event(
      sequence: 42, log: "f00d", recorded: transition.date + .seconds(1), transition: transition)
    return JournalEntry.fields(of: event, withCoordinates: withCoordinates)
      .map { "\($0.name)=\($0.value)" }
  }

  private static let always = [
    "MESSAGE=Left home", "MESSAGE_ID=c91ea9d0dccf49dca738f52a0c1fe4af", "PRIORITY=5",
    "SYSLOG_IDENTIFIER=geofenced", "GEOFENCE_SEQUENCE=42", "GEOFENCE_USER=1000",
    "GEOFENCE_MONITOR=work", "GEOFENCE_IDENTIFIER=home", "GEOFENCE_KIND=exited",
    "GEOFENCE_STATE=unsatisfied", "GEOFENCE_PREVIOUS_STATE=satisfied",
    "GEOFENCE_DATE=2026-01-01T00:00:12.250Z", "GEOFENCE_LOG=f00d",
    "GEOFENCE_RECORDED=2026-01-01T00:00:13.250Z",
  ]

  private static let details = [
    "GEOFENCE_EARLIEST=2025-12-31T23:59:12.250Z", "GEOFENCE_LATEST=2026-01-01T00:00:12.250Z",
    "GEOFENCE_VISIT=home@2025-12-31T23:58:42.250Z", "GEOFENCE_DURATION_SEC=90.5",
    "GEOFENCE_REASON=removed", "GEOFENCE_PROBABILITY=0.001", "GEOFENCE_SIMULATED=yes",
  ]

  @Test func `has these fields, and positions only when they are asked for`() throws {
    #expect(
      try lines(transition, withCoordinates: false) == Self.always + Self.details)
    #expect(
      try lines(transition, withCoordinates: true)
        == Self.always + Self.details + [
          "GEOFENCE_LATITUDE=47.25", "GEOFENCE_LONGITUDE=8.5", "GEOFENCE_DISTANCE=51.25",
          "GEOFENCE_ACCURACY=4.5",
        ])
  }

  @Test func `leaves out what isn't known`() throws {
    var plain = try transition
    plain = Transition(
      key: plain.key, kind: plain.kind, state: plain.state, previousState: plain.previousState,
      date: plain.date)
    #expect(try lines(plain, withCoordinates: true) == Self.always)
  }

  @Test func `has one message id and one sentence for each kind`() throws {
    #expect(Set(EventKind.allCases.map(JournalEntry.messageID)).count == EventKind.allCases.count)
    let sentences = try EventKind.allCases.map { kind in
      JournalEntry.sentence(
        for: Transition(
          key: try transition.key, kind: kind, state: .satisfied, previousState: .unknown,
          date: Timestamp(nanoseconds: 0)))
    }
    #expect(
      sentences == [
        "home is satisfied", "Entered home", "Left home", "Passed through home",
        "Lost track of home: no usable fix for too long", "home is no longer watched",
      ])
  }
}
