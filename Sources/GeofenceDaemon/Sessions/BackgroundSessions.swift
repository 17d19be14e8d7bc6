import ControlInterface
import LinuxSystem

/// The background activity sessions of the daemon: while one lives, the receiver is used.
///
/// They are in memory only. A restart breaks the connections that hold them, and clients begin them again when they
/// connect again.
struct BackgroundSessions: Sendable {
  /// Grows whenever a session begins, is released, ends, or gets another holder.
  var changes: SequenceSignal { registry.changes }

  private let registry = WatchedState(SessionRegistry())

  /// The configuration in force, for the grace time and the quota.
  let configuration: @Sendable () -> Configuration
  let clock: DaemonClock

  /// Holds a session until the task is cancelled or the session is ended.
  ///
  /// - Parameter held: Called once, when the session is alive. If it throws, the session is released.
  /// - Throws: `quotaExceeded`, `sessionInvalidated`, `CancellationError`, or what `held` throws.
  func hold(
    _ key: SessionRegistry.Key, held: (Session.Reply) async throws -> Void
  ) async throws -> Never {
    let maximum = configuration().limits.maximumSessionsPerUser
    let now = (uptime: clock.uptime(), date: clock.now())
    let (holder, outcome, since) = try registry.change { registry throws(ControlError) in
      try registry.hold(key, at: now.uptime, date: now.date, maximum: maximum)
    }
    defer {
      let (uptime, grace) = (clock.uptime(), configuration().receiver.sessionGrace)
      registry.change { $0.release(holder, of: key, at: uptime, grace: grace) }
    }
    try await held(
      Session.Reply(user: key.user, name: key.name, outcome: outcome, since: since))
    while true {
      let (sessions, seen) = registry.current
      guard sessions.isHeld(key, by: holder) else {
        throw ControlError(.sessionInvalidated, "the session '\(key.name)' was ended")
      }
      try await changes.wait(after: seen)
    }
  }

  /// Ends a session at once.
  ///
  /// - Parameter unlessHeld: Whether a session goes on that is held.
  /// - Returns: How many calls hold it, if it goes on; else nil.
  /// - Throws: `noSuchSession`.
  func invalidate(
    _ key: SessionRegistry.Key, unlessHeld: Bool
  ) throws(ControlError) -> Int? {
    let uptime = clock.uptime()
    let (holders, wasThere) = registry.change { registry -> (Int?, Bool) in
      let holders = registry.holders(of: key)
      if unlessHeld, holders > 0 { return (holders, true) }
      return (nil, registry.invalidate(key, at: uptime))
    }
    guard wasThere else {
      throw ControlError(
        .noSuchSession,
        "there is no session '\(key.name)' of user \(key.user); 'geofenced ctl sessions' shows those that "
          + "are")
    }
    return holders
  }

  /// The sessions of a user, or of all.
  func list(ofUser user: UInt32?) -> [BackgroundSession] {
    let (uptime, date) = (clock.uptime(), clock.now())
    return registry.current.value.sessions(ofUser: user, at: uptime, date: date)
  }

  /// Ends sessions when their grace time is over, and reports each one that begins or ends.
  ///
  /// It runs until the task is cancelled, and sleeps as long as all sessions are held or there are none.
  ///
  /// - Parameter changed: Called in order, by one task, with a session that has begun or ended. If it ends and begins
  ///   again in between, that isn't reported.
  func watch(_ changed: (_ key: SessionRegistry.Key, _ lives: Bool) -> Void) async {
    var told: Set<SessionRegistry.Key> = []
    while !Task.isCancelled {
      let (sessions, seen) = registry.current
      let (live, lapse) = (sessions.keys, sessions.nextLapse)
      let uptime = clock.uptime()
      for key in live.subtracting(told) { changed(key, true) }
      for key in told.subtracting(live) { changed(key, false) }
      told = live
      guard let lapse else {
        try? await changes.wait(after: seen)
        continue
      }
      if lapse <= uptime {
        registry.change { $0.lapse(at: uptime) }
        continue
      }
      await waitForFirst(
        { try? await changes.wait(after: seen) },
        { try? await clock.sleeping.sleep(for: lapse - uptime) })
    }
  }
}
