import Geofencing
import Positioning
import Synchronization
import TestSupport
import Testing

/// A source that is needed again and again.
extension `Pausing updates` {
  /// What was needed in between is waited for anew: the time before doesn't count.
  @Test func `keep the source for the time of a look after each time that it was needed`()
    async throws
  {
    let (needs, continuation) = AsyncStream.makeStream(of: Void.self)
    let needed: (inout PausePolicy) -> Void = { policy in
      policy.untilNeeded = { for await _ in needs { return } }
    }
    try await run(needed) {
      try await release(with: rest(0..<320))
      continuation.yield()
      try await wait { source.opened == 2 }
      var count = 0
      func feed(_ second: Double) async throws {
        count += 1
        source.feed([noFix(second)])
        try await wait { diagnostics.status.rejected[.noFix] == count || !source.isRead }
      }
      for second in [360.0, 361] { try await feed(second) }
      results.mayRelease.withLock { $0 = false }
      for second in [362.0, 363] { try await feed(second) }
      results.mayRelease.withLock { $0 = true }
      clock.advance(by: .seconds(60 + 75 + 1))
      // What is told with the second says that the first was done with.
      for second in [500.0, 501] { try await feed(second) }
      #expect(source.isRead)
      clock.advance(by: .seconds(60 + 75 + 1))
      source.feed([noFix(640)])
      try await wait { !source.isRead }
      #expect(results.told == 301)
    }
  }

  /// A look, the source of which is the one of that number, in which gpsd is reached and the receiver isn't heard.
  private func hearNothing(_ opened: Int, for seconds: Int) async throws {
    try await passTime(until: opened)
    for event in [.connected("gpsd 3.22"), .devices(["/dev/a"])] as [SourceEvent] {
      source.feed(event)
    }
    try await wait { diagnostics.status.devices == ["/dev/a"] }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(seconds))
    try await wait { !source.isRead && diagnostics.rest.nextLook != nil }
  }

  /// As after somebody unplugged it where it was parked.
  @Test func `say so when looks hear nothing of the receiver for as long as a silence takes`()
    async throws
  {
    let patient: (inout PausePolicy) -> Void = { $0.silence = .seconds(150) }
    try await run(patient) {
      try await release(with: rest(0..<320))
      try await hearNothing(2, for: 60)
      #expect(diagnostics.status.trouble == nil && results.told == 301)
      try await hearNothing(3, for: 120)
      #expect(diagnostics.status.trouble == "the receiver is silent: /dev/a")
      // It is in use again as soon as it says something.
      try await passTime(until: 4)
      source.feed(.connected("gpsd 3.22"))
      #expect(diagnostics.status.trouble != nil)
      try await release(with: rest(900..<906))
      #expect(diagnostics.status.trouble == nil)
    }
  }

  @Test func `tell of no silence when looks don't reach gpsd`() async throws {
    try await run {
      try await release(with: rest(0..<320))
      try await passTime(until: 2)
      source.feed(.disconnected("gone"))
      try await wait { diagnostics.status.disconnection == "gone" }
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(60))
      try await wait { !source.isRead && diagnostics.rest.nextLook != nil }
      try await passTime(until: 3)
      source.feed(.connected("gpsd 3.22"))
      try await wait { diagnostics.status.source != nil }
      #expect(diagnostics.status.disconnection == nil)
      // Whether it was there for all of that look isn't known.
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(120))
      try await wait { !source.isRead && diagnostics.rest.nextLook != nil }
      #expect(diagnostics.status.trouble == nil)
    }
  }

  @Test func `forget what looks didn't hear as soon as something is heard`() async throws {
    let patient: (inout PausePolicy) -> Void = { $0.silence = .seconds(150) }
    try await run(patient) {
      try await release(with: rest(0..<320))
      try await hearNothing(2, for: 60)
      // It drives off, and is parked again.
      try await passTime(until: 3)
      source.feed(drive(600..<610))
      try await wait { source.opened == 4 }
      try await release(with: rest(620..<1000))
      try await hearNothing(5, for: 120)
      #expect(diagnostics.status.trouble == nil)
    }
  }
}
