import Geofencing
import Systemd
import TestSupport
import Testing

@testable import GeofenceDaemon

/// When a unit is started again, and what of its starts is held against it.
struct LaunchAgainTests {
  private let own = MonitorKey(user: 1000, name: "default")
  private let unit: UnitName
  private let other: UnitName
  private var policy = LaunchPolicy(interval: .seconds(10))

  init() throws {
    unit = try #require(UnitName("greeter.service"))
    other = try #require(UnitName("reader.service"))
  }

  private func seen(
    _ unit: UnitName, newest: Int64 = 5, read: Int64? = 4
  ) -> [MonitorKey: LaunchPolicy.Observation] {
    [
      own: LaunchPolicy.Observation(
        unit: unit, newest: newest, read: read, furthest: read, since: 0, isConnected: false)
    ]
  }

  /// Starts what is due at a time, with success; what is told of it.
  private mutating func start(at second: Double) -> [LaunchFailure] {
    let starts = policy.takeDue(at: .seconds(second))
    #expect(starts.count == 1)
    return starts.compactMap { policy.finish($0, nil, on: at(second)) }
  }

  @Test mutating func `looks don't put off the start that is due`() {
    policy.observe(seen(unit), at: .seconds(100))
    policy.observe(seen(unit, newest: 6), at: .milliseconds(100_150))
    #expect(policy.nextDue(after: .milliseconds(100_150)) == .milliseconds(100_200))
  }

  @Test mutating func `long after the last start an event still waits for those that follow`() {
    policy.observe(seen(unit), at: .seconds(100))
    #expect(start(at: 101).isEmpty)
    policy.observe(seen(unit, read: 5), at: .seconds(102))
    policy.observe(seen(unit, newest: 6, read: 5), at: .seconds(900))
    #expect(policy.takeDue(at: .seconds(900)).isEmpty)
    #expect(policy.nextDue(after: .seconds(900)) == .seconds(900) + LaunchPolicy.settling)
  }

  @Test mutating func `another unit doesn't wait for what the one before left unread`() {
    policy.observe(seen(unit), at: .seconds(100))
    // After ten, twenty and forty seconds.
    for (second, isTold) in [(101.0, false), (111, false), (131, true), (171, false)] {
      #expect(start(at: second).isEmpty != isTold)
    }
    policy.observe(seen(other), at: .seconds(172))
    #expect(policy.nextDue(after: .seconds(172)) == .seconds(181))
    // Nor are their starts counted together.
    for (second, isTold) in [(181.0, false), (201, false), (241, true)] {
      #expect(start(at: second).isEmpty != isTold, "\(second)")
    }
  }

  @Test mutating func `who has read some events since isn't told to read none`() {
    policy.observe(seen(unit, newest: 9, read: 1), at: .seconds(100))
    #expect(start(at: 101).isEmpty)
    #expect(start(at: 111).isEmpty)
    policy.observe(seen(unit, newest: 9, read: 3), at: .seconds(112))
    #expect(start(at: 121).isEmpty)
    #expect(start(at: 141).map(\.kind) == [.unread])
  }

  @Test mutating func `while a start is under way no other begins, though the wish was withdrawn`()
  {
    policy.observe(seen(unit), at: .seconds(100))
    let starts = policy.takeDue(at: .seconds(101))
    #expect(starts.count == 1)
    policy.observe([:], at: .seconds(200))
    policy.observe(seen(unit), at: .seconds(300))
    #expect(policy.takeDue(at: .seconds(400)).isEmpty)
    for start in starts { #expect(policy.finish(start, nil, on: at(400)) == nil) }
    #expect(policy.takeDue(at: .seconds(400)).count == 1)
  }
}
