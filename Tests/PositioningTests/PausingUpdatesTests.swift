import Geofencing
import Positioning
import Synchronization
import TestSupport
import Testing

/// What subscribers and the engine get while updates pause.
@Suite(.timeLimit(.minutes(10))) struct `Pausing updates` {
  /// A source whose readers get what is fed, and that knows how many there are.
  final class Source: LocationSource {
    private struct State {
      var readers: [AsyncStream<SourceEvent>.Continuation] = []
      var opened = 0
      var closed = 0
    }

    private let state = Mutex(State())
    var opened: Int { state.withLock { $0.opened } }
    var isRead: Bool { state.withLock { $0.opened > $0.closed } }

    func makeAsyncIterator() -> AsyncStream<SourceEvent>.Iterator {
      let (stream, continuation) = AsyncStream.makeStream(of: SourceEvent.self)
      continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.closed += 1 } }
      state.withLock { state in
        state.opened += 1
        state.readers = [continuation]
      }
      return stream.makeAsyncIterator()
    }

    func feed(_ reports: some Sequence<TPV>) {
      for report in reports {
        feed(.tpv(report))
        feed(.epochComplete(of: "/dev/a"))
      }
    }

    func feed(_ event: SourceEvent) {
      for reader in state.withLock({ $0.readers }) { reader.yield(event) }
    }
  }

  /// What came of the updates so far.
  final class Results: Sendable {
    let updates = Mutex<[LocationUpdate]>([])
    let fixes = Mutex<[Location]>([])
    let mayRelease = Mutex(true)

    /// Whether updates were given that aren't known to be all of a burst.
    let isInBurst = Mutex(false)

    var told: Int { updates.withLock { $0.count } }
    var judged: Int { fixes.withLock { $0.count } }
  }

  let source = Source()
  let clock = ManualClock()
  let results = Results()
  let diagnostics = ReceiverDiagnostics()

  func rest(_ seconds: Range<Int>, speed: Double = 0) -> [TPV] {
    seconds.map { second in
      var report = report(Double(second), eph: 5)
      report.speed = speed
      return report
    }
  }

  func drive(_ seconds: Range<Int>) -> [TPV] {
    seconds.map { second in
      var report = report(Double(second), north: Double(second - seconds.lowerBound) * 11, eph: 5)
      report.speed = 12
      report.track = 0
      return report
    }
  }

  /// Runs a loop over the updates beside a body.
  func run(
    _ change: (inout PausePolicy) -> Void = { _ in }, _ body: () async throws -> Void
  ) async throws {
    var policy = PausePolicy()
    policy.clock = clock
    policy.uptime = { [clock] in clock.now.offset }
    policy.mayRelease = { [results] in results.mayRelease.withLock { $0 } }
    change(&policy)
    let updates = LocationUpdates(
      source, diagnostics: diagnostics, pausing: policy,
      everyUpdate: { [results] update in
        results.isInBurst.withLock { $0 = true }
        if let fix = update.location { results.fixes.withLock { $0.append(fix) } }
        return true
      }, burstEnds: { [results] in results.isInBurst.withLock { $0 = false } })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [results] in
        for await update in updates { results.updates.withLock { $0.append(update) } }
      }
      try await wait { source.isRead }
      try await body()
      group.cancelAll()
    }
    #expect(!source.isRead)
  }

  /// Feeds what ends with the source let go.
  func release(with reports: [TPV]) async throws {
    source.feed(reports)
    try await wait { !source.isRead }
  }

  /// Moves the clock to the next look, the source of which is the one of that number.
  func passTime(until opened: Int) async throws {
    try await wait { diagnostics.rest.nextLook != nil }
    await clock.waitForSleepers(1)
    clock.advance(by: PauseParameters().probeInterval)
    try await wait { source.opened == opened }
  }

  @Test func `end with one that is stationary, and the source is let go`() async throws {
    diagnostics.setWatched(true)
    try await run {
      try await release(with: rest(0..<320))
      #expect(results.told == 301)
      #expect(results.updates.withLock { $0.map(\.isStationary).count { $0 } } == 1)
      let last = results.updates.withLock { $0.last }
      #expect(last?.isStationary == true && last?.isPaused == true && last?.location != nil)
      #expect(diagnostics.rest.isReleased && diagnostics.rest.isStationary)
      #expect(diagnostics.rest.pausedSince == .zero && diagnostics.rest.usedSince == nil)
      try await wait { diagnostics.rest.nextLook == .seconds(180) }
    }
  }

  @Test func `go on with one that isn't stationary when a look finds movement`() async throws {
    try await run {
      try await release(with: rest(0..<320))
      for look in 1...2 {
        try await passTime(until: 1 + look)
        let start = 320 + look * 60
        try await release(with: rest(start..<(start + 6)))
        // Else what came of it would wait to be written until the next look.
        #expect(results.isInBurst.withLock { $0 } == false)
      }
      #expect(results.told == 301)
      let judged = results.judged
      #expect(judged >= 301 + 8)

      try await passTime(until: 4)
      source.feed(drive(600..<610))
      try await wait { results.told == 302 }
      let first = results.updates.withLock { $0.last }
      #expect(first?.isStationary == false && first?.isPaused == false)
      // The receiver is used on, without a pause.
      try await wait { source.opened == 5 }
      #expect(!diagnostics.rest.isStationary && diagnostics.rest.nextLook == nil)
      // What the looks were told is known still.
      #expect(diagnostics.status.accepted == results.judged)
      source.feed(drive(620..<630))
      try await wait { results.told >= 312 }
      #expect(diagnostics.rest.pausedSince == nil && !diagnostics.rest.isReleased)
      #expect(diagnostics.rest.usedSince == clock.now.offset)
      #expect(results.judged > judged)
    }
  }

  @Test func `look on until others who look have seen enough`() async throws {
    let looks = Mutex(0)
    let mayEnd = Mutex(false)
    let change: (inout PausePolicy) -> Void = { policy in
      policy.lookBegins = { looks.withLock { $0 += 1 } }
      policy.lookMayEnd = { mayEnd.withLock { $0 } }
    }
    try await run(change) {
      try await release(with: rest(0..<320))
      #expect(looks.withLock { $0 } == 0)
      try await passTime(until: 2)
      #expect(looks.withLock { $0 } == 1)
      let judged = results.judged
      source.feed(rest(480..<510))
      try await wait { results.judged == judged + 30 }
      #expect(source.isRead)
      mayEnd.withLock { $0 = true }
      try await release(with: rest(510..<511))
      #expect(results.judged >= judged + 30)
      #expect(diagnostics.rest.isReleased)
    }
  }

  @Test func `look for no longer than the time from the first fix on when they are unsure`()
    async throws
  {
    try await run {
      try await release(with: rest(0..<320))
      try await passTime(until: 2)
      let began = clock.now
      try await wait { clock.deadlines == [began.advanced(by: .seconds(60))] }
      clock.advance(by: .seconds(20))
      source.feed(rest(500..<502))
      let end = began.advanced(by: .seconds(20 + 75))
      try await wait { clock.deadlines == [end] }
      #expect(source.isRead && source.opened == 2)
      clock.advance(by: clock.now.duration(to: end))
      try await wait { !source.isRead }
      try await wait { diagnostics.rest.nextLook != nil }
      #expect(results.told == 301)
    }
  }

  @Test func `look now and then for longer where no fix comes`() async throws {
    try await run {
      try await release(with: rest(0..<320))
      for (look, seconds) in [60, 120, 240, 60].enumerated() {
        try await passTime(until: 2 + look)
        let end = clock.now.advanced(by: .seconds(seconds))
        try await wait { clock.deadlines == [end] }
        clock.advance(by: .seconds(seconds))
        try await wait { !source.isRead }
      }
      // One that has brought a fix in time leaves it at that.
      try await passTime(until: 6)
      try await release(with: rest(2000..<2006))
      try await passTime(until: 7)
      let end = clock.now.advanced(by: .seconds(120))
      try await wait { clock.deadlines == [end] }
    }
  }

  @Test func `look at once when motion is felt, but not again and again`() async throws {
    let (hints, continuation) = AsyncStream.makeStream(of: Void.self)
    let change: (inout PausePolicy) -> Void = { policy in
      policy.motion = { for await _ in hints { return } }
    }
    try await run(change) {
      try await release(with: rest(0..<320))
      continuation.yield()
      try await wait { source.opened == 2 }
      try await release(with: rest(330..<336))
      try await wait { diagnostics.rest.nextLook != nil }
      // The next hint is heard, but acted on only after ten seconds.
      let ends = [Duration.seconds(10), PauseParameters().probeInterval]
        .map { clock.now.advanced(by: $0) }
      try await wait { clock.deadlines == ends }
      continuation.yield()
      // Who acts on it too early has its turns meanwhile.
      for _ in 0..<1000 { await Task.yield() }
      #expect(clock.deadlines == ends && source.opened == 2)
      clock.advance(by: .seconds(10))
      try await wait { source.opened == 3 }
    }
  }

  @Test func `are never silent where they mustn't be`() async throws {
    let change: (inout PausePolicy) -> Void = { $0.parameters.mode = .never }
    try await run(change) {
      source.feed(rest(0..<500))
      try await wait { results.told == 500 }
      #expect(results.updates.withLock { $0.last?.isStationary } == true)
      #expect(results.updates.withLock { $0.last?.isPaused } == false)
      #expect(results.updates.withLock { $0[60].isStationary } == false)
    }
  }

  @Test func `are all of them, and never stationary, without a policy`() async throws {
    source.feed([])
    var iterator = LocationUpdates(source).makeAsyncIterator()
    source.feed(rest(0..<1000))
    for _ in 0..<1000 {
      let update = await iterator.next()
      #expect(update?.location != nil && update?.isStationary == false)
    }
  }
}
