import Foundation
import LinuxSystem
import Positioning
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A gpsd source` {
  let fake: GPSDFake

  init() throws { fake = try GPSDFake() }

  /// The first events of a source, up to one, while something plays gpsd.
  func events(
    of source: GPSDSource, until isLast: @escaping @Sendable (SourceEvent) -> Bool,
    while gpsd: @escaping @Sendable (GPSDFake) async throws -> Void
  ) async -> [SourceEvent] {
    await withTaskGroup { group in
      // A fake that fails sends nothing more, and the source's events show it.
      group.addTask { [fake] in try? await gpsd(fake) }
      var iterator = source.makeAsyncIterator()
      let events = await iterator.events(until: isLast)
      group.cancelAll()
      return events
    }
  }

  @Test func `tells what gpsd tells`() async throws {
    var source = GPSDSource(fake.settings)
    let events = await events(
      of: source, until: { $0 == .epochComplete(of: "/dev/gps0") },
      while: { fake in
        let client = try await fake.accept()
        try await client.greet()
        try await client.socket.write(GPSDLines.sky + GPSDLines.tpv(1) + GPSDLines.tpv(2))
        try await client.waitForEnd()
      })
    #expect(
      events.filter { $0.latitude == nil } == [
        .connected("gpsd 3.22"), .devices(["/dev/gps0"]), .sky(of: "/dev/gps0", used: 1, seen: 2),
        .epochComplete(of: "/dev/gps0"),
      ])
    #expect(events.compactMap(\.latitude) == [40.001, 40.002])
    var expected = GPSDStatistics()
    expected.connections = 1
    #expect(source.statistics == expected)
    source = GPSDSource(fake.settings)
    #expect(source.statistics == GPSDStatistics())
  }

  @Test(arguments: [#"{"class":"FOO"}"#, #"{"class":"TPV","mode":1}"#])
  func `a gpsd that sends without end leaves the thread to others too`(line: String) async throws {
    let loop = EventLoop(label: "flooded")
    let source = GPSDSource(fake.settings, poller: loop.poller)
    let lines = Array(repeatElement(Array("\(line)\n".utf8), count: 4_000).joined())
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { [fake] in
        let client = try await fake.accept()
        // Until the client is gone, or the test is over.
        do {
          try await client.greet()
          while true { try await client.socket.write(lines) }
        } catch {}
      }
      let (connected, continuation) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        await loop.run {
          for await event in source where event.isConnected { continuation.finish() }
        }
      }
      for await _ in connected {}
      for _ in 0..<5 { await loop.run { await Task.yield() } }
      group.cancelAll()
    }
  }

  @Test func `skips a line that is too long and keeps the connection`() async throws {
    let source = GPSDSource(fake.settings)
    let events = await events(
      of: source, until: { $0.latitude == 40.002 },
      while: { fake in
        let client = try await fake.accept()
        try await client.greet()
        let tooLong = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
        for piece in [GPSDLines.tpv(1), tooLong, GPSDLines.line(""), GPSDLines.tpv(2)] {
          try await client.socket.write(piece)
        }
        try await client.waitForEnd()
      })
    #expect(events.compactMap(\.latitude) == [40.001, 40.002])
    #expect(events.compactMap(\.disconnection) == [])
    #expect(source.statistics.tooLongLines == 1)
    #expect(source.statistics.connections == 1)
  }

  @Test func `reads a long backlog to its end`() async throws {
    let source = GPSDSource(fake.settings)
    let events = await events(
      of: source, until: { $0.latitude == 49.999 },
      while: { fake in
        let client = try await fake.accept()
        try await client.greet()
        try await client.socket.write((0..<10_000).flatMap { GPSDLines.tpv($0) })
        try await client.waitForEnd()
      })
    #expect(events.compactMap(\.latitude).count == 10_000)
  }

  @Test(arguments: [(0.0, 0.5), (0.5, 0.75), (0.999, 0.9995)])
  func `waits longer and longer between attempts, by its own clock`(
    random: Double, factor: Double
  ) async throws {
    var settings = fake.settings
    settings.shortestDelay = .seconds(1)
    settings.longestDelay = .seconds(5)
    // Where nobody listens connections are refused.
    let refusing = try ReservedPort()
    settings.port = refusing.number
    let clock = ManualClock()
    let source = GPSDSource(settings, clock: clock, random: { random })
    let losses = Losses()

    await withTaskGroup { group in
      group.addTask {
        for await event in source {
          if let reason = event.disconnection { await losses.append(reason) }
        }
      }
      for (index, seconds) in [1, 2, 4, 5, 5].enumerated() {
        await clock.waitForSleepers(1)
        let count = await losses.reasons.count
        #expect(count == index + 1)
        // One step before the end it still sleeps; the end wakes it.
        clock.advance(by: .seconds(Double(seconds) * factor) - .milliseconds(1))
        await clock.waitForSleepers(1)
        let countBefore = await losses.reasons.count
        #expect(countBefore == index + 1)
        clock.advance(by: .milliseconds(2))
        await losses.wait(for: index + 2)
      }
      group.cancelAll()
    }
    let reason = "gpsd at 127.0.0.1:\(settings.port) can't be reached: Connection refused"
    #expect(await Set(losses.reasons) == [reason])
    withExtendedLifetime(refusing) {}
  }

  @Test func `is quick again after a connection that brought reports`() async throws {
    var settings = fake.settings
    settings.shortestDelay = .seconds(1)
    settings.epochGap = .seconds(3600)
    let clock = ManualClock()
    let source = GPSDSource(settings, clock: clock, random: { 1 })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in source {} }
      for seconds in [1, 2, 4] {
        do { _ = try await fake.accept() }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(seconds))
      }
      do {
        let client = try await fake.accept()
        try await client.greet()
        try await client.socket.write(GPSDLines.tpv())
        client.socket.shutDown()
      }
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(1))
      // Without the report the next attempt would come after 8 s, and this would never return.
      let last = try await fake.accept()
      group.cancelAll()
      try await group.waitForAll()
      // Hung up before, it would count as one more failure.
      withExtendedLifetime(last) {}
    }
    #expect(source.statistics.failures == 4)
  }

  /// Where a test can stop a source.
  enum Place: CaseIterable, Sendable {
    case beforeTheBanner, whileWatching, betweenAttempts
  }

  @Test(arguments: Place.allCases)
  func `ends and hangs up when its task is cancelled`(place: Place) async throws {
    let clock = ManualClock()
    var settings = fake.settings
    settings.bannerTimeout = .seconds(3600)
    settings.silence = .seconds(3600)
    let source = GPSDSource(settings, clock: clock)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in source {}
        #expect(Task.isCancelled)
      }
      let client = try await fake.accept()
      switch place {
      case .beforeTheBanner:
        group.cancelAll()
        try await client.waitForEnd()
      case .whileWatching:
        try await client.greet()
        group.cancelAll()
        try await client.waitForEnd()
      case .betweenAttempts:
        client.socket.shutDown()
        await clock.waitForSleepers(1)
        group.cancelAll()
      }
      try await group.waitForAll()
    }
  }

  @Test func `hangs up when its loop is left`() async throws {
    let source = GPSDSource(fake.settings)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [fake] in
        let client = try await fake.accept()
        try await client.greet()
        try await client.waitForEnd()
      }
      for await event in source where event.isConnected { break }
      try await group.waitForAll()
    }
  }
}

/// What one task hears, for another to wait for.
private actor Losses {
  private(set) var reasons: [String] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  func append(_ reason: String) {
    reasons.append(reason)
    guard let waiting, reasons.count >= waiting.count else { return }
    self.waiting = nil
    waiting.continuation.resume()
  }

  func wait(for count: Int) async {
    if reasons.count >= count { return }
    await withCheckedContinuation { waiting = (count, $0) }
  }
}
