import Geofencing
import LinuxSystem
import Positioning
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Location updates` {
  /// A source that notes who reads it.
  private final class Source: LocationSource {
    let begun = Mutex(0)
    let ended = Mutex(0)
    let script: [SourceEvent]?

    /// A source that ends after some events, or one with a hundred fixes that never ends.
    init(_ script: [SourceEvent]? = nil) { self.script = script }

    func makeAsyncIterator() -> AsyncStream<SourceEvent>.Iterator {
      begun.withLock { $0 += 1 }
      let (stream, continuation) = AsyncStream.makeStream(of: SourceEvent.self)
      continuation.onTermination = { _ in self.ended.withLock { $0 += 1 } }
      for event in script ?? (0..<100).map({ .tpv(report(Double($0))) }) {
        continuation.yield(event)
      }
      if script != nil { continuation.finish() }
      return stream.makeAsyncIterator()
    }
  }

  private func seconds(_ update: LocationUpdate?) -> Double? {
    update?.location.map { ($0.timestamp - at(0)).inSeconds }
  }

  @Test func `are read only when somebody loops over them`() async {
    let source = Source()
    let updates = LocationUpdates(source)
    #expect(source.begun.withLock { $0 } == 0)
    for await _ in updates { break }
    #expect(source.begun.withLock { $0 } == 1)
  }

  @Test func `end when the source ends, with the epoch that was under way`() async {
    let source = Source([.tpv(report(1)), .tpv(report(2)), .tpv(report(3))])
    var found: [Double?] = []
    for await update in LocationUpdates(source) { found.append(seconds(update)) }
    #expect(found == [1, 2, 3])
    var iterator = LocationUpdates(source).makeAsyncIterator()
    for _ in 0..<3 { #expect(await iterator.next() != nil) }
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test func `leave out what is half told when nobody listens any more`() async {
    let found = await withTaskGroup(of: [Double?].self) { group in
      group.addTask {
        var found: [Double?] = []
        for await update in LocationUpdates(Source()) {
          found.append(self.seconds(update))
          if found.count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        return found
      }
      return await group.next()
    }
    // Of the hundred reports that were there already, each but the last was followed by another.
    #expect(found?.count == 99)
  }

  @Test func `leave what is known of a source that somebody hardly asked`() async {
    let diagnostics = ReceiverDiagnostics()
    for await _ in LocationUpdates(Source([.disconnected("refused")]), diagnostics: diagnostics) {}
    #expect(diagnostics.status.disconnection == "refused")
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        withUnsafeCurrentTask { $0?.cancel() }
        for await _ in LocationUpdates(Source([]), diagnostics: diagnostics) {}
      }
    }
    #expect(diagnostics.status.disconnection == "refused")
  }

  /// By how long each takes whoever is given it: what takes long isn't kept together.
  @Test(
    arguments: [
      (Duration.milliseconds(1), ["fix", "fix", "fix", "end", "fix", "end"]),
      (.milliseconds(30), ["fix", "fix", "end", "fix", "end", "fix", "end"]),
      (.milliseconds(60), ["fix", "end", "fix", "end", "fix", "end", "fix", "end"]),
    ] as [(Duration, [String])])
  func `say when all was given that came together, and at once when it came alone`(
    time: Duration, expected: [String]
  ) async throws {
    let fake = try GPSDFake()
    let told = Mutex<[String]>([])
    let uptime = Mutex(Duration.zero)
    let updates = LocationUpdates(
      GPSDSource(fake.settings),
      everyUpdate: { update in
        told.withLock { $0.append(update.location == nil ? "none" : "fix") }
        uptime.withLock { $0 += time }
        return true
      },
      burstEnds: { told.withLock { $0.append("end") } },
      uptime: { uptime.withLock { $0 } })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in updates {} }
      let client = try await fake.accept()
      try await client.greet()
      // The last one's epoch is complete only when nothing has followed for a while.
      try await client.socket.write((0..<4).flatMap { GPSDLines.tpv($0) } + GPSDLines.sky)
      while told.withLock({ $0.count { $0 == "fix" } }) < 4 { await Task.yield() }
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(told.withLock { $0 } == expected)
  }

  @Test func `go on from the last fix before, as often as they are looped over`() async throws {
    let fix = Location(
      timestamp: at(2), coordinate: try Coordinate(validLatitude: 47, longitude: 8))
    let updates = LocationUpdates(
      Source([.tpv(report(1)), .tpv(report(2)), .tpv(report(3))]), after: fix)
    for _ in 0..<2 {
      var found: [Double] = []
      for await update in updates { found += [seconds(update)].compactMap { $0 } }
      #expect(found == [3])
    }
  }

  @Test(arguments: [true, false])
  func `go on from the fix before one that the engine refuses`(isRefused: Bool) async {
    let refused = Mutex<[Timestamp?]>([])
    let updates = LocationUpdates(
      Source([0.0, 10, 11, 12].map { .tpv(report($0, north: $0 == 10 ? 1000 : 0)) }),
      everyUpdate: { update in !isRefused || update.location?.timestamp != at(10) },
      afterwards: { update, isRefused in
        if isRefused { refused.withLock { $0.append(update.location?.timestamp) } }
      })
    var found: [Double] = []
    for await update in updates { found += [seconds(update)].compactMap { $0 } }
    #expect(found == (isRefused ? [0, 10, 11, 12] : [0, 10]))
    #expect(refused.withLock { $0 } == (isRefused ? [at(10)] : []))
  }

  /// One that errs and says so of none of its fixes would keep a good one out.
  @Test(arguments: [true, false])
  func `come of another receiver where all fixes of the first are refused`(isRefused: Bool) async {
    let reports = (0..<40).flatMap { second in
      ["/dev/a", "/dev/b"].flatMap { device -> [SourceEvent] in
        [
          .tpv(report(Double(second) + (device == "/dev/a" ? 0 : 0.1), device: device)),
          .epochComplete(of: device),
        ]
      }
    }
    let updates = LocationUpdates(
      Source(reports),
      everyUpdate: { update in
        !isRefused || update.location?.device == "/dev/b" || seconds(update) ?? 0 < 5
      })
    var found: Set<String> = []
    var first: Double?
    for await update in updates {
      if update.location?.device == "/dev/b" { first = first ?? seconds(update) }
      found.insert(update.location?.device ?? "")
    }
    #expect(found == (isRefused ? ["/dev/a", "/dev/b"] : ["/dev/a"]))
    // StaleSec= is ten seconds.
    #expect(first == (isRefused ? 14.1 : nil))
  }

  @Test func `stop the source when the loop is left`() async {
    let source = Source()
    for await update in LocationUpdates(source) where seconds(update) == 3 { break }
    // The stream is told when its iterator goes away, at the end of the loop.
    #expect(source.ended.withLock { $0 } == 1)
  }

  @Test func `can be searched, filtered and cut`() async throws {
    let source = Source()
    let updates = LocationUpdates(source)
    #expect(seconds(await updates.first { seconds($0) ?? 0 > 41 }) == 42)
    let three = await updates.prefix(3).reduce(into: []) { $0.append(seconds($1)) }
    #expect(three == [0, 1, 2])
    let even = updates.compactMap { update in seconds(update) }.filter {
      Int($0).isMultiple(of: 2)
    }
    #expect(await even.prefix(3).reduce(into: []) { $0.append($1) } == [0, 2, 4])
    #expect(await updates.contains { seconds($0) == 7 })
    #expect(source.begun.withLock { $0 } == 4)
    #expect(source.ended.withLock { $0 } == 4)
  }

  @Test func `end when the task is cancelled`() async {
    let source = Source()
    let (reached, continuation) = AsyncStream.makeStream(of: Void.self)
    await withTaskGroup { group in
      group.addTask {
        var count = 0
        for await _ in LocationUpdates(source) {
          count += 1
          // The hundredth report waits for the next, which never comes.
          if count == 99 { continuation.yield() }
        }
      }
      for await _ in reached.prefix(1) {}
      group.cancelAll()
    }
    #expect(source.ended.withLock { $0 } == 1)
  }

  @Test func `keep the diagnostics up to date, also where nothing comes of it`() async {
    let diagnostics = ReceiverDiagnostics()
    let source = Source([
      .connected("gpsd 3.22"), .tpv(report(1)), .tpv(noFix(2)),
      .sky(of: "/dev/a", used: 1, seen: 2),
    ])
    var iterator = LocationUpdates(source, diagnostics: diagnostics).makeAsyncIterator()
    #expect(seconds(await iterator.next()) == 1)
    #expect(diagnostics.status.accepted == 1)
    #expect(diagnostics.status.satellitesSeen == nil)
    #expect(await iterator.next() == nil)
    #expect(diagnostics.status.satellitesSeen == 2)
    #expect(diagnostics.status.rejected == [.noFix: 1])
  }
}
