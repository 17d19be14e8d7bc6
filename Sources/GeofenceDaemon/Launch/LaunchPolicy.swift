import Geofencing
import Systemd

/// Decides which units are to be started, and when.
///
/// It is a plain value: what is observed, how starts ended and the time are handed to it.
///
/// A unit is started when an event of its monitor has waited unread for a moment, so that programs that come back
/// by themselves aren't started. While events stay unread it is started again, at intervals that double until
/// something is read. Each user has one start under way at a time, so that a slow service manager of one user
/// holds up nobody else.
struct LaunchPolicy: Sendable {
  /// How long events have to wait unread before a unit is started.
  static let settling = Duration.milliseconds(200)

  /// The interval at which the doubling ends.
  static let longestInterval = Duration.seconds(600)

  /// How many starts may be under way at a time.
  static let maximumUnderWay = 16

  /// After how many starts in a row it is reported that nobody reads the events: a program may need time.
  static let startsUntilUnread = 3

  /// The unit of a monitor, and where it was set.
  struct Setting: Sendable, Hashable {
    let unit: UnitName

    /// Whether the configuration names it.
    let isConfigured: Bool

    /// Events up to this one are no reason to start it.
    let since: Int64
  }

  /// What is observed of a monitor that has a unit.
  struct Observation: Sendable, Hashable {
    var unit: UnitName

    /// Its newest event; nil when there is none.
    var newest: Int64?

    /// The last event that all its consumers have acknowledged; nil when it has none.
    var read: Int64?

    /// The last event that one of its consumers has acknowledged; nil when it has none.
    var furthest: Int64?

    /// Without a consumer, events up to this one are no reason to start the unit.
    var since: Int64
    var isConnected: Bool
  }

  /// A start that is to be made now.
  struct Start: Sendable, Hashable {
    let monitor: MonitorKey
    let unit: UnitName

    /// Without a consumer that tells what was read: the newest event that the start is made for.
    let through: Int64?
  }

  /// What people are shown of a monitor.
  struct Outcome: Sendable, Hashable {
    var launched: Timestamp?
    var failure: LaunchFailure?
  }

  private struct State {
    var observation: Observation?
    var through: Int64 = 0
    /// Since when events wait and nobody reads.
    var neededSince: Duration?
    var lastStart: Duration?
    /// How often it was started, or tried, since something was read.
    var starts = 0
    /// How many of those succeeded.
    var successes = 0
    var isUnderWay = false
    var told: Set<LaunchFailure.Kind> = []
    var outcome = Outcome()

    /// The last event that doesn't wait any more; 0 if nothing is known.
    var passed: Int64 {
      observation.map { $0.read ?? max($0.since, through) } ?? 0
    }

    /// Whether a consumer has read more since this observation, or had read everything then.
    ///
    /// So the program does its work, even if other consumers are behind.
    func isRead(by now: Observation) -> Bool {
      guard let observation, let furthest = observation.furthest else { return false }
      return now.furthest ?? 0 > furthest
        || furthest >= observation.newest ?? 0 && now.newest ?? 0 > furthest
    }

    var waits: Bool { (observation?.newest ?? 0) > passed }

    /// When the next start is allowed by the ones before.
    func nextAllowed(_ interval: Duration) -> Duration? {
      guard let lastStart else { return nil }
      // 2^10 intervals of a second are more than the longest one.
      let doubled = interval * (1 << min(max(0, starts - 1), 10))
      return lastStart + min(doubled, max(interval, LaunchPolicy.longestInterval))
    }

    /// When it is to be started; nil if there is no reason to.
    func due(_ interval: Duration) -> Duration? {
      guard !isUnderWay, let neededSince else { return nil }
      return max(neededSince + LaunchPolicy.settling, nextAllowed(interval) ?? .zero)
    }
  }

  private var states: [MonitorKey: State] = [:]

  /// The shortest time between two starts for one monitor.
  var interval: Duration

  init(interval: Duration) {
    self.interval = interval
  }

  /// Takes note of what is observed, and returns the starts that are to be made now and when the next one is due.
  mutating func look(
    at monitors: [MonitorKey: Observation], interval: Duration, at now: Duration
  ) -> (starts: [Start], nextDue: Duration?) {
    self.interval = interval
    observe(monitors, at: now)
    return (takeDue(at: now), nextDue(after: now))
  }

  /// Takes note of all monitors that have a unit, as they are now.
  mutating func observe(_ monitors: [MonitorKey: Observation], at now: Duration) {
    for (key, observation) in monitors {
      var state = states[key] ?? State()
      if state.observation?.unit != observation.unit {
        // Another unit begins with short intervals again, but not before that of the last start is over.
        state.starts = min(state.starts, 1)
        state.successes = 0
        state.told = []
        state.outcome = Outcome()
      } else if state.isRead(by: observation) {
        state.starts = min(state.starts, 1)
        state.successes = min(state.successes, 1)
      }
      state.observation = observation
      if state.waits, !observation.isConnected {
        state.neededSince = state.neededSince ?? now
      } else {
        state.neededSince = nil
      }
      if !state.waits {
        state.starts = 0
        state.successes = 0
        state.told = []
        state.outcome.failure = nil
      }
      states[key] = state
    }
    for (key, var state) in states where monitors[key] == nil {
      state.observation = nil
      state.neededSince = nil
      // Kept until the interval is over: else setting the unit anew would be a way around it.
      let isOver = (state.nextAllowed(interval) ?? now) <= now
      states[key] = isOver && !state.isUnderWay ? nil : state
    }
  }

  /// The starts that are due, the longest due first; ``finish(_:_:on:)`` ends each.
  mutating func takeDue(at now: Duration) -> [Start] {
    var busy = Set(states.filter { $0.value.isUnderWay }.map(\.key.user))
    var room = Self.maximumUnderWay - busy.count
    let due = states.compactMap { key, state in
      state.due(interval).flatMap { $0 <= now ? (key: key, due: $0) : nil }
    }
    var starts: [Start] = []
    for (key, _) in due.sorted(by: { ($0.due, $0.key) < ($1.due, $1.key) }) where room > 0 {
      guard let observation = states[key]?.observation, busy.insert(key.user).inserted else {
        continue
      }
      room -= 1
      states[key]?.isUnderWay = true
      states[key]?.lastStart = now
      states[key]?.starts += 1
      starts.append(
        Start(
          monitor: key, unit: observation.unit,
          through: observation.read == nil ? observation.newest : nil))
    }
    return starts
  }

  /// The next time at which a start falls due; nil when none will by itself.
  ///
  /// Those that are due and couldn't be taken wait for the end of another one.
  func nextDue(after now: Duration) -> Duration? {
    states.values.compactMap { $0.due(interval) }.filter { $0 > now }.min()
  }

  /// Takes note of how a start ended.
  ///
  /// - Returns: the failure, when it is one that wasn't told yet.
  mutating func finish(
    _ start: Start, _ failure: LaunchFailure?, on date: Timestamp
  ) -> LaunchFailure? {
    guard var state = states[start.monitor] else { return nil }
    defer { states[start.monitor] = state }
    state.isUnderWay = false
    guard state.observation?.unit == start.unit else { return nil }
    var failure = failure
    if failure == nil {
      state.outcome.launched = date
      state.successes += 1
      if let through = start.through {
        state.through = through
      } else if state.successes >= Self.startsUntilUnread {
        failure = LaunchFailure(
          .unread,
          "\(start.unit) was started \(state.successes) times, and a consumer still hasn't read the events: "
            + "see \(Self.statusCommand(start)), or remove a consumer that is no longer used")
      }
    }
    state.outcome.failure = failure
    guard let failure, state.told.insert(failure.kind).inserted else { return nil }
    return failure
  }

  /// What shows how the unit of a start fares; a user's own manager answers that user alone.
  private static func statusCommand(_ start: Start) -> String {
    let user = start.monitor.user
    return user == 0
      ? "'systemctl status \(start.unit)'"
      : "'systemctl --user status \(start.unit)' as user \(user)"
  }

  /// What people are shown of a monitor's unit.
  func outcome(of monitor: MonitorKey) -> Outcome {
    states[monitor]?.outcome ?? Outcome()
  }

  /// Without a consumer, the newest event that the unit of a monitor was started for; 0 if it wasn't.
  func through(of monitor: MonitorKey) -> Int64 {
    states[monitor]?.through ?? 0
  }
}
