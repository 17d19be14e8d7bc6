import ControlInterface
import Geofencing
import TestSupport
import Testing

@testable import GeofenceDaemon

/// The life of background activity sessions, as rules.
struct SessionRegistryTests {
  private let trip = SessionRegistry.Key(user: 1000, name: "trip")
  private let date = at(0)
  private let grace = Duration.seconds(60)
  private let registry = Registry()

  /// The registry as a reference: a value can't change within an expectation.
  private final class Registry {
    private var value = SessionRegistry()

    var count: Int { value.keys.count }
    var nextLapse: Duration? { value.nextLapse }

    func hold(
      _ key: SessionRegistry.Key, at uptime: Duration, date: Timestamp, maximum: Int
    ) throws -> (holder: SessionRegistry.Holder, outcome: Session.Outcome, since: Timestamp) {
      try value.hold(key, at: uptime, date: date, maximum: maximum)
    }

    func release(
      _ holder: SessionRegistry.Holder, of key: SessionRegistry.Key, at uptime: Duration,
      grace: Duration
    ) {
      value.release(holder, of: key, at: uptime, grace: grace)
    }

    func isHeld(_ key: SessionRegistry.Key, by holder: SessionRegistry.Holder) -> Bool {
      value.isHeld(key, by: holder)
    }

    func invalidate(_ key: SessionRegistry.Key, at uptime: Duration) -> Bool {
      value.invalidate(key, at: uptime)
    }

    func lapse(at uptime: Duration) { value.lapse(at: uptime) }

    func sessions(
      ofUser user: UInt32?, at uptime: Duration, date: Timestamp
    ) -> [BackgroundSession] {
      value.sessions(ofUser: user, at: uptime, date: date)
    }
  }

  private func hold(
    _ key: SessionRegistry.Key, at second: Int, maximum: Int = 16
  ) throws -> (holder: SessionRegistry.Holder, outcome: Session.Outcome, since: Timestamp) {
    try registry.hold(
      key, at: .seconds(second), date: date + .seconds(second), maximum: maximum)
  }

  private func sessions(at second: Int, user: UInt32? = nil) -> [BackgroundSession] {
    registry.sessions(ofUser: user, at: .seconds(second), date: date + .seconds(second))
  }

  @Test func `a session lives while it is held`() throws {
    let held = try hold(trip, at: 5)
    #expect(held.outcome == .begun)
    #expect(held.since == date + .seconds(5))
    #expect(registry.nextLapse == nil)
    registry.lapse(at: .seconds(1_000_000))
    #expect(registry.count == 1)
    #expect(
      sessions(at: 9) == [
        BackgroundSession(
          user: 1000, name: "trip", since: date + .seconds(5), holders: 1, lapses: nil)
      ])
  }

  @Test func `it lapses when the grace time is over, and not before`() throws {
    let held = try hold(trip, at: 0)
    registry.release(held.holder, of: trip, at: .seconds(100), grace: grace)
    #expect(registry.nextLapse == .seconds(160))
    #expect(sessions(at: 130).map(\.lapses) == [date + .seconds(160)])
    registry.lapse(at: .milliseconds(159_999))
    #expect(registry.count == 1)
    #expect(sessions(at: 160) == [])
    registry.lapse(at: .seconds(160))
    #expect(registry.count == 0)
    #expect(registry.nextLapse == nil)
  }

  @Test func `within the grace time it is rejoined`() throws {
    let first = try hold(trip, at: 0)
    registry.release(first.holder, of: trip, at: .seconds(100), grace: grace)
    let second = try hold(trip, at: 159)
    #expect(second.outcome == .rejoined)
    #expect(second.since == date)
    #expect(registry.nextLapse == nil)
    registry.release(second.holder, of: trip, at: .seconds(200), grace: grace)
    // Its time is over, though nobody has cleared it away.
    let third = try hold(trip, at: 260)
    #expect(third.outcome == .begun)
    #expect(third.since == date + .seconds(260))
    #expect(registry.count == 1)
  }

  @Test func `several calls hold the same session, and the last one ends it`() throws {
    let first = try hold(trip, at: 0)
    let second = try hold(trip, at: 1)
    #expect(second.outcome == .rejoined)
    #expect(sessions(at: 1).map(\.holders) == [2])
    registry.release(first.holder, of: trip, at: .seconds(2), grace: grace)
    registry.release(first.holder, of: trip, at: .seconds(3), grace: grace)
    #expect(registry.nextLapse == nil)
    #expect(registry.isHeld(trip, by: second.holder))
    #expect(!registry.isHeld(trip, by: first.holder))
    registry.release(second.holder, of: trip, at: .seconds(4), grace: grace)
    #expect(registry.nextLapse == .seconds(64))
  }

  @Test func `without a grace time it ends with the last holder`() throws {
    let held = try hold(trip, at: 0)
    registry.release(held.holder, of: trip, at: .seconds(1), grace: .zero)
    #expect(registry.count == 0)
    #expect(registry.invalidate(trip, at: .seconds(1)) == false)
  }

  @Test func `ending a session ends it for all, and the next one is another`() throws {
    let old = try hold(trip, at: 0)
    #expect(registry.invalidate(trip, at: .seconds(1)))
    #expect(!registry.isHeld(trip, by: old.holder))
    #expect(registry.invalidate(trip, at: .seconds(1)) == false)
    let new = try hold(trip, at: 2)
    #expect(new.outcome == .begun)
    // The one who held the old one leaves only now.
    registry.release(old.holder, of: trip, at: .seconds(3), grace: grace)
    #expect(registry.isHeld(trip, by: new.holder))
    #expect(registry.nextLapse == nil)
  }

  @Test func `one that lapsed can't be ended`() throws {
    let held = try hold(trip, at: 0)
    registry.release(held.holder, of: trip, at: .seconds(0), grace: grace)
    #expect(registry.invalidate(trip, at: .seconds(60)) == false)
  }

  @Test func `users have sessions of their own, each as many as allowed`() throws {
    let other = SessionRegistry.Key(user: 1001, name: "trip")
    _ = try hold(trip, at: 0, maximum: 2)
    #expect(try hold(other, at: 1, maximum: 2).outcome == .begun)
    let second = try hold(SessionRegistry.Key(user: 1000, name: "b"), at: 2, maximum: 2)
    let third = SessionRegistry.Key(user: 1000, name: "c")
    let error = #expect(throws: ControlError.self) { try hold(third, at: 3, maximum: 2) }
    #expect(
      error
        == ControlError(
          .quotaExceeded, "user 1000 has as many sessions as MaximumSessionsPerUser= allows: 2"))
    // Joining one that is there costs nothing.
    #expect(try hold(trip, at: 3, maximum: 2).outcome == .rejoined)
    #expect(sessions(at: 3).map(\.name) == ["b", "trip", "trip"])
    #expect(sessions(at: 3).map(\.user) == [1000, 1000, 1001])
    #expect(sessions(at: 3, user: 1001).map(\.user) == [1001])
    registry.release(
      second.holder, of: SessionRegistry.Key(user: 1000, name: "b"), at: .seconds(4), grace: grace)
    #expect(throws: ControlError.self) { try hold(third, at: 5, maximum: 2) }
    #expect(try hold(third, at: 64, maximum: 2).outcome == .begun)
  }
}
