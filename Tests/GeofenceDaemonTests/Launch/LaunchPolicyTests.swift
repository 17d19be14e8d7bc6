import Geofencing
import Systemd
import TestSupport
import Testing

@testable import GeofenceDaemon

/// When units are started, and when they aren't.
struct LaunchPolicyTests {
  private let own = MonitorKey(user: 1000, name: "default")
  private let unit: UnitName
  private let failure = LaunchFailure(.noSuchUnit, "there is no such unit")

  init() throws {
    unit = try #require(UnitName("greeter.service"))
  }

  /// A policy and a time that goes on, with what it started.
  private struct Run {
    var policy = LaunchPolicy(interval: .seconds(10))
    var now = Duration.seconds(100)
    let date = at(0)

    /// Observes one monitor, waits until something is due, and starts it.
    ///
    /// - Returns: how long that took, and what was started.
    mutating func next(
      _ monitors: [MonitorKey: LaunchPolicy.Observation]
    ) -> (after: Duration, starts: [LaunchPolicy.Start]) {
      policy.observe(monitors, at: now)
      let began = now
      var starts = policy.takeDue(at: now)
      while starts.isEmpty, let due = policy.nextDue(after: now) {
        now = due
        starts = policy.takeDue(at: now)
      }
      return (now - began, starts)
    }

    @discardableResult
    mutating func finish(
      _ starts: [LaunchPolicy.Start], _ failure: LaunchFailure? = nil
    ) -> [LaunchFailure] {
      starts.compactMap { policy.finish($0, failure, on: date) }
    }
  }

  private func seen(
    newest: Int64? = 5, read: Int64? = 4, furthest: Int64? = nil, since: Int64 = 0,
    isConnected: Bool = false
  ) -> LaunchPolicy.Observation {
    LaunchPolicy.Observation(
      unit: unit, newest: newest, read: read, furthest: furthest ?? read, since: since,
      isConnected: isConnected)
  }

  @Test func `an event that waits starts the unit after a moment`() {
    var run = Run()
    let (after, starts) = run.next([own: seen()])
    #expect(after == LaunchPolicy.settling)
    #expect(starts == [LaunchPolicy.Start(monitor: own, unit: unit, through: nil)])
    run.finish(starts)
    #expect(run.policy.outcome(of: own) == LaunchPolicy.Outcome(launched: run.date, failure: nil))
  }

  @Test(arguments: [
    (newest: Int64?.none, read: Int64?.none, since: Int64(0), isConnected: false),
    (newest: 5, read: 5, since: 0, isConnected: false),
    (newest: 5, read: nil, since: 5, isConnected: false),
    (newest: 5, read: 4, since: 0, isConnected: true),
    (newest: 5, read: nil, since: 0, isConnected: true),
    // The consumers know better than the time of the wish.
    (newest: 5, read: 6, since: 0, isConnected: false),
  ])
  func `without a reason nothing is started`(
    newest: Int64?, read: Int64?, since: Int64, isConnected: Bool
  ) {
    var run = Run()
    let observation = seen(newest: newest, read: read, since: since, isConnected: isConnected)
    #expect(run.next([own: observation]).starts == [])
    #expect(run.policy.nextDue(after: run.now) == nil)
  }

  @Test func `events from before the wish start it when a consumer hasn't read them`() {
    var run = Run()
    #expect(run.next([own: seen(newest: 5, read: 4, since: 9)]).starts.count == 1)
  }

  @Test func `whoever comes back within the moment keeps it from being started`() {
    var run = Run()
    run.policy.observe([own: seen()], at: run.now)
    run.now += LaunchPolicy.settling - .milliseconds(1)
    #expect(run.policy.takeDue(at: run.now) == [])
    run.policy.observe([own: seen(isConnected: true)], at: run.now)
    run.now += .seconds(3600)
    #expect(run.policy.takeDue(at: run.now) == [])
    // Gone again, the moment begins anew.
    #expect(run.next([own: seen()]).after == LaunchPolicy.settling)
  }

  @Test func `while events stay unread the pauses double up to ten minutes`() {
    var run = Run()
    var pauses: [Duration] = []
    // As often as one that is broken is started in half a day.
    for _ in 0..<70 {
      let (after, starts) = run.next([own: seen()])
      #expect(starts.count == 1)
      pauses.append(after)
      run.finish(starts)
    }
    #expect(
      pauses.prefix(7) == [
        LaunchPolicy.settling, .seconds(10), .seconds(20), .seconds(40), .seconds(80),
        .seconds(160), .seconds(320),
      ])
    #expect(pauses.dropFirst(7).allSatisfy { $0 == .seconds(600) })
    // All was read: the next event has the shortest pause again.
    #expect(run.next([own: seen(read: 5)]).starts == [])
    #expect(run.next([own: seen(newest: 6, read: 5)]).after == .seconds(10))
  }

  @Test func `a consumer that is away makes the others wait no longer`() {
    var run = Run()
    run.finish(run.next([own: seen(newest: 1, read: 0)]).starts)
    for newest in Int64(2)...8 {
      // The program has read all there was, and is started in vain for who is away.
      let (_, vain) = run.next([own: seen(newest: newest - 1, read: 0, furthest: newest - 1)])
      run.finish(vain)
      let (after, starts) = run.next([own: seen(newest: newest, read: 0, furthest: newest - 1)])
      #expect(after <= .seconds(10) && starts.count == 1)
      run.finish(starts)
    }
  }

  @Test func `a program that reads one event a start gets on at the interval`() {
    var run = Run()
    run.finish(run.next([own: seen(newest: 9, read: 0)]).starts)
    for read in Int64(1)...8 {
      let (after, starts) = run.next([own: seen(newest: 9, read: read)])
      #expect(after <= .seconds(10) && starts.count == 1)
      run.finish(starts)
    }
  }

  @Test func `an interval above ten minutes holds`() {
    var run = Run()
    run.policy.interval = .seconds(3000)
    for pause in [LaunchPolicy.settling, .seconds(3000), .seconds(3000)] {
      let (after, starts) = run.next([own: seen()])
      #expect(after == pause)
      run.finish(starts)
    }
  }

  @Test func `a program that reads and ends is started for each event, with the interval between`()
  {
    var run = Run()
    for event in Int64(5)..<10 {
      let (after, starts) = run.next([own: seen(newest: event, read: event - 1)])
      #expect(starts.count == 1)
      #expect(after == (event == 5 ? LaunchPolicy.settling : .seconds(10)))
      run.finish(starts)
      #expect(run.next([own: seen(newest: event, read: event - 1, isConnected: true)]).starts == [])
      #expect(run.next([own: seen(newest: event, read: event)]).starts == [])
    }
  }

  @Test func `without a consumer the same events don't start it twice`() {
    var run = Run()
    let (_, starts) = run.next([own: seen(read: nil)])
    #expect(starts.map(\.through) == [5])
    run.finish(starts)
    #expect(run.next([own: seen(read: nil)]).starts == [])
    #expect(run.policy.through(of: own) == 5)
    #expect(run.next([own: seen(newest: 6, read: nil)]).starts.map(\.through) == [6])
  }

  @Test func `a failed start is tried again for the same events, and told once a kind`() {
    var run = Run()
    var pauses: [Duration] = []
    for _ in 0..<3 {
      let (after, starts) = run.next([own: seen(read: nil)])
      pauses.append(after)
      #expect(run.finish(starts, failure) == (pauses.count == 1 ? [failure] : []))
      #expect(run.policy.outcome(of: own).failure == failure)
    }
    #expect(pauses == [LaunchPolicy.settling, .seconds(10), .seconds(20)])
    let other = LaunchFailure(.timedOut, "late")
    let (_, starts) = run.next([own: seen(read: nil)])
    #expect(run.finish(starts, other) == [other])
    // One that works takes the failure away.
    run.finish(run.next([own: seen(read: nil)]).starts)
    #expect(run.policy.outcome(of: own).failure == nil)
  }

  @Test func `starts that nobody answers by reading are told with the third`() {
    var run = Run()
    var told: [[LaunchFailure.Kind]] = []
    for _ in 0..<4 {
      told.append(run.finish(run.next([own: seen()]).starts).map(\.kind))
    }
    #expect(told == [[], [], [.unread], []])
    let says = "see 'systemctl --user status greeter.service' as user 1000, "
    #expect(run.policy.outcome(of: own).failure?.description.contains(says) == true)
    run.policy.observe([own: seen(read: 5)], at: run.now)
    #expect(run.policy.outcome(of: own).failure == nil)
  }

  @Test func `starts that failed aren't held against one that reads`() {
    var run = Run()
    for _ in 0..<5 { run.finish(run.next([own: seen()]).starts, failure) }
    #expect(run.finish(run.next([own: seen()]).starts) == [])
    #expect(run.finish(run.next([own: seen()]).starts) == [])
    let told = run.finish(run.next([own: seen()]).starts)
    #expect(told.first?.description.contains("was started 3 times,") == true)
  }

  @Test func `a user has one start under way, and all together have a limit`() {
    var run = Run()
    var monitors: [MonitorKey: LaunchPolicy.Observation] = [:]
    for user in UInt32(1)...20 {
      for name in ["a", "b"] { monitors[MonitorKey(user: user, name: name)] = seen() }
    }
    let first = run.next(monitors).starts
    #expect(first.count == LaunchPolicy.maximumUnderWay)
    #expect(Set(first.map(\.monitor.user)).count == first.count)
    #expect(first.allSatisfy { $0.monitor.name == "a" })
    // The others are due and wait for an end, not for a time.
    #expect(run.policy.takeDue(at: run.now) == [])
    #expect(run.policy.nextDue(after: run.now) == nil)
    run.finish(Array(first.prefix(1)))
    let second = run.policy.takeDue(at: run.now)
    #expect(second.map(\.monitor) == [MonitorKey(user: 1, name: "b")])
  }

  @Test func `taking the unit away and setting it again doesn't shorten the interval`() throws {
    var run = Run()
    run.finish(run.next([own: seen()]).starts)
    run.now += .seconds(1)
    run.policy.observe([:], at: run.now)
    let (after, starts) = run.next([own: seen()])
    #expect(after == .seconds(9))
    run.finish(starts)
    run.now += .seconds(1)
    run.policy.observe([:], at: run.now)
    var other = seen()
    other.unit = try #require(UnitName("other.service"))
    run.now += .seconds(60)
    run.policy.observe([:], at: run.now)
    #expect(run.next([own: other]).after == LaunchPolicy.settling)
  }

  @Test func `the end of a start whose unit was replaced says nothing of the new one`() throws {
    var run = Run()
    let starts = run.next([own: seen()]).starts
    var other = seen()
    other.unit = try #require(UnitName("other.service"))
    run.policy.observe([own: other], at: run.now)
    #expect(run.finish(starts, failure) == [])
    #expect(run.policy.outcome(of: own) == LaunchPolicy.Outcome())
    #expect(run.next([own: other]).starts.map(\.unit.description) == ["other.service"])
  }

  @Test func `without a consumer rare events start it soon, however many there were`() {
    var run = Run()
    for event in Int64(1)...10 {
      let (after, starts) = run.next([own: seen(newest: event, read: nil)])
      #expect(after <= run.policy.interval + LaunchPolicy.settling && starts.count == 1)
      run.finish(starts)
      #expect(run.next([own: seen(newest: event, read: nil)]).starts == [])
      run.now += .seconds(60)
    }
  }

  @Test func `a failure is told again of another unit, and after all was read`() throws {
    var run = Run()
    let other = try #require(UnitName("other.service"))
    var observation = seen()
    #expect(run.finish(run.next([own: observation]).starts, failure) == [failure])
    observation.unit = other
    run.policy.observe([own: observation], at: run.now)
    #expect(run.policy.outcome(of: own) == LaunchPolicy.Outcome())
    #expect(run.finish(run.next([own: observation]).starts, failure) == [failure])
    observation.read = 5
    #expect(run.next([own: observation]).starts == [])
    observation.newest = 6
    #expect(run.finish(run.next([own: observation]).starts, failure) == [failure])
  }
}
