import Geofencing
import Positioning
import Synchronization
import TestSupport
import Testing

/// What becomes of the source of paused updates when something else needs it.
extension `Pausing updates` {
  /// Runs the loop until a pause has released the source; then the body, which says when it is needed.
  private func runReleased(
    _ change: (inout PausePolicy) -> Void = { _ in },
    _ body: (_ need: () -> Void) async throws -> Void
  ) async throws {
    let (needs, continuation) = AsyncStream.makeStream(of: Void.self)
    let needed: (inout PausePolicy) -> Void = { policy in
      policy.untilNeeded = { for await _ in needs { return } }
      change(&policy)
    }
    try await run(needed) {
      try await release(with: rest(0..<320))
      try await body { continuation.yield() }
    }
  }

  @Test func `keep the source where it may not be released`() async throws {
    results.mayRelease.withLock { $0 = false }
    try await run {
      source.feed(rest(0..<400))
      try await wait { results.judged == 400 }
      #expect(results.told == 301)
      #expect(source.isRead && source.opened == 1)
      #expect(diagnostics.rest.pausedSince != nil && !diagnostics.rest.isReleased)
      // When the reason is gone, the next fix is the last, or the one that isn't done with yet.
      results.mayRelease.withLock { $0 = true }
      try await release(with: rest(400..<402))
      #expect(results.judged <= 401)
    }
  }

  @Test func `use a released source again when something needs it`() async throws {
    try await runReleased { need in
      results.mayRelease.withLock { $0 = false }
      need()
      try await wait { source.opened == 2 && source.isRead }
      source.feed(rest(330..<340))
      try await wait { results.judged == 311 }
      #expect(results.told == 301)
      #expect(diagnostics.rest.pausedSince != nil && !diagnostics.rest.isReleased)
      #expect(diagnostics.rest.nextLook == nil)
    }
  }

  @Test func `go on when it drives off while something needs the source for a moment`()
    async throws
  {
    try await runReleased { need in
      need()
      try await wait { source.opened == 2 }
      source.feed(drive(330..<340))
      try await wait { results.told >= 302 }
      let first = results.updates.withLock { $0[301] }
      #expect(!first.isStationary && !first.isPaused)
      #expect(try #require(first.location?.timestamp) <= at(333))
      try await wait { results.judged == 311 }
      #expect(source.isRead && source.opened == 2)
      #expect(diagnostics.rest.pausedSince == nil && !diagnostics.rest.isReleased)
    }
  }

  @Test func `let the source go after a moment's need only when it is still at rest`()
    async throws
  {
    let looks = Mutex(0)
    let change: (inout PausePolicy) -> Void = { policy in
      // Others look too, and need some more fixes.
      policy.lookBegins = { looks.withLock { $0 += 1 } }
      policy.lookMayEnd = { [results] in results.judged > 311 }
    }
    try await runReleased(change) { need in
      need()
      try await wait { source.opened == 2 && looks.withLock { $0 } == 1 }
      try await release(with: rest(330..<345))
      #expect(results.judged == 312 && results.told == 301)
      try await wait { diagnostics.rest.nextLook != nil }

      // Three fixes aren't enough, the fourth is.
      need()
      try await wait { source.opened == 3 }
      source.feed(rest(350..<353))
      try await wait { results.judged == 315 }
      #expect(source.isRead)
      try await release(with: rest(353..<360))
      #expect(results.judged == 316)
    }
  }

  @Test(arguments: [false, true])
  func `let a source go that doesn't say whether it rests`(hasFixes: Bool) async throws {
    try await runReleased { need in
      let judged = results.judged
      need()
      try await wait { source.opened == 2 }
      for number in 1...2 {
        // Fixes so rare say nothing together.
        let second = 330 + 40 * number
        source.feed(hasFixes ? rest(second..<(second + 1)) : [noFix(Double(second))])
        try await wait {
          hasFixes
            ? results.judged == judged + number
            : diagnostics.status.rejected[.noFix] == number
        }
        #expect(source.isRead)
        if number == 2 { clock.advance(by: .seconds(60 + 75 + 1)) }
      }
      source.feed(hasFixes ? rest(450..<451) : [noFix(450)])
      try await wait { !source.isRead }
      #expect(results.told == 301)
    }
  }

  @Test func `keep the source when what needed it ends as it drives off`() async throws {
    let change: (inout PausePolicy) -> Void = { policy in
      policy.mayRelease = { [results] in results.judged > 400 }
    }
    try await run(change) {
      source.feed(rest(0..<400))
      var start = drive(400..<401)
      start[0].speed = 1.8
      source.feed(start)
      source.feed(drive(401..<405))
      try await wait { results.told >= 302 }
      #expect(source.isRead && source.opened == 1)
      #expect(diagnostics.rest.pausedSince == nil)
    }
  }

  @Test func `don't leave the source while something is being confirmed`() async throws {
    let change: (inout PausePolicy) -> Void = { policy in
      policy.isConfirming = { [results] in results.judged < 310 }
      policy.lookMayEnd = { [results] in results.judged >= 310 }
    }
    try await run(change) {
      source.feed(rest(0..<309))
      try await wait { results.told == 301 && results.judged == 309 }
      #expect(source.isRead && diagnostics.rest.pausedSince != nil)
      try await release(with: rest(309..<311))
      #expect(results.judged == 310)
    }
  }

  @Test func `don't leave the source at a fix that is fast`() async throws {
    try await run {
      try await release(with: rest(0..<320))
      try await passTime(until: 2)
      let judged = results.judged
      source.feed(rest(500..<503) + rest(503..<504, speed: 1.8))
      try await wait { results.judged == judged + 4 }
      #expect(source.isRead)
      try await release(with: rest(504..<505))
    }
  }

  @Test func `leave out in a look what was half told when the last one ended`() async throws {
    try await run {
      try await release(with: rest(0..<320))
      // The first report of the next epoch ends one, and is itself never whole.
      try await passTime(until: 2)
      for report in rest(500..<510) { source.feed(.tpv(report)) }
      try await wait { !source.isRead }
      let judged = results.judged
      try await passTime(until: 3)
      try await release(with: rest(700..<706))
      #expect(results.fixes.withLock { $0.dropFirst(judged).first?.timestamp } == at(700))
    }
  }
}
