package import Geofencing

/// What happened along a track, ready to be drawn: ``HTMLReport`` and ``GeoJSONReport`` write it.
package struct Report: Sendable {
  /// A fix that was used.
  package struct TrackPoint: Sendable, Hashable {
    package var timestamp: Timestamp
    package var coordinate: Coordinate

    /// Metres per second over ground, if the receiver said so.
    package var speed: Double?

    /// The radius in metres that holds the position with 68 %, if the receiver said so.
    package var horizontalAccuracy: Double?

    /// Whether nothing is known of the way from the point before.
    package var followsGap: Bool

    package init(
      timestamp: Timestamp, coordinate: Coordinate, speed: Double? = nil,
      horizontalAccuracy: Double? = nil, followsGap: Bool = false
    ) {
      self.timestamp = timestamp
      self.coordinate = coordinate
      self.speed = speed
      self.horizontalAccuracy = horizontalAccuracy
      self.followsGap = followsGap
    }
  }

  /// A fix that was left out of account, with the reason as a person would say it.
  package struct Rejection: Sendable {
    package var fix: RejectedFix
    package var sentence: String

    package init(fix: RejectedFix, sentence: String) {
      self.fix = fix
      self.sentence = sentence
    }
  }

  /// A condition that was watched.
  package struct Fence: Sendable {
    package var key: ConditionKey
    package var condition: Condition

    /// The state it is in now; nil where it follows from the events.
    package var state: ConditionState?

    /// Since when it is watched; nil is from the beginning.
    package var added: Timestamp?

    package init(
      key: ConditionKey, condition: Condition, state: ConditionState? = nil,
      added: Timestamp? = nil
    ) {
      self.key = key
      self.condition = condition
      self.state = state
      self.added = added
    }
  }

  /// An event, and why it came about, as sentences.
  package struct ExplainedEvent: Sendable {
    package var event: Event
    package var sentences: [String]

    package init(event: Event, sentences: [String]) {
      self.event = event
      self.sentences = sentences
    }
  }

  /// What it is about, in a few words.
  package var title: String

  /// What the track is made of, as a sentence.
  package var origin: String

  /// What else a reader must know, a sentence each: what was left out, and why.
  package var remarks: [String] = []

  /// The fixes in the order in which they were used.
  package var track: [TrackPoint] = []

  package var rejections: [Rejection] = []

  /// How many fixes were left out in all, by the reason as a person would say it; nil where they all
  /// are in ``rejections``.
  package var rejectionCounts: [String: Int]?

  /// What was watched; each key once.
  package var fences: [Fence] = []

  /// The events, oldest first.
  package var events: [ExplainedEvent] = []

  /// How many events are no longer in ``events``, and when the last of them of each condition led to which state.
  var untoldEvents = 0
  var untold: [ConditionKey: (date: Timestamp, state: ConditionState)] = [:]

  /// Since when conditions are known to have been watched that were removed, for those whose first event in
  /// ``events`` doesn't say it.
  package var watchedSince: [ConditionKey: Timestamp] = [:]

  /// The time that was asked for; nil is what the fixes and the events span.
  package var requested: ClosedRange<Timestamp>?

  /// By which clocks times are told, always the same ones.
  package var zone = TimeZone.utc

  package init(title: String, origin: String) {
    self.title = title
    self.origin = origin
  }

  /// The time from the first thing in it to the last, which at least what was asked for is part of;
  /// nil where there is nothing.
  package var span: ClosedRange<Timestamp>? {
    if let requested { return requested }
    // A condition may have expired long before a recording began: no fix has to do with that.
    let transitions = events.map(\.event.transition).filter {
      track.isEmpty || $0.kind != .unmonitored
    }
    var dates =
      track.map(\.timestamp) + transitions.map(\.date)
      + transitions.compactMap(\.bounds?.lowerBound)
    // What was refused may have a date of any year: it counts only where there is nothing else.
    if dates.isEmpty { dates = rejections.compactMap(\.fix.timestamp) }
    guard let first = dates.min(), let last = dates.max() else { return nil }
    return first...last
  }

  /// Says which conditions had another shape when something happened to them: only the present one is shown.
  package mutating func noteReplacements() {
    let added = Dictionary(fences.map { ($0.key, $0.added) }) { first, _ in first }
    var replaced: Set<ConditionKey> = []
    var latest: Timestamp?
    for event in events.map(\.event) {
      let key = event.transition.key
      // What had ended and is there was added anew, whatever the clock says.
      var isOver = event.transition.kind == .unmonitored && added.keys.contains(key)
      // Behind one that was recorded later the clock was set back, maybe after the present one was added.
      if let recorded = event.recorded, recorded >= latest ?? recorded {
        latest = recorded
        // So it was maybe too where the event is later than the condition by its own date.
        if let added = added[key] ?? nil, recorded < added, event.transition.date < added {
          isOver = true
        }
      }
      if isOver { replaced.insert(key) }
    }
    let names = replaced.sorted().map(naming.name)
    guard let first = names.first else { return }
    let others = names.count == 1 ? "" : " and \(names.count - 1) more"
    remarks.append(
      "\(first)\(others) had another shape, or was added anew, after some of the events: what is "
        + "shown is the present one.")
  }

  /// What names of conditions have to say in this report.
  var naming: ConditionNaming {
    ConditionNaming(fences.map(\.key) + events.map(\.event.transition.key))
  }
}

/// How much of a condition's key its name needs so that no two are alike: the monitor where there
/// are several, and its owner where they have several.
struct ConditionNaming {
  private let hasSeveralMonitors: Bool
  private let hasSeveralUsers: Bool

  init(_ keys: [ConditionKey]) {
    hasSeveralMonitors = Set(keys.map(\.monitor.name)).count > 1
    hasSeveralUsers = Set(keys.map(\.monitor.user)).count > 1
  }

  func name(of key: ConditionKey) -> String {
    (hasSeveralMonitors ? "\(key.monitor.name)/" : "") + key.identifier
      + (hasSeveralUsers ? " (uid \(key.monitor.user))" : "")
  }
}

extension Report {
  /// Marks where nothing is known of the way: where the fixes are five times as far apart in time
  /// as half of them are, and at least ten seconds, and where time steps back.
  package mutating func markGaps() {
    let intervals = zip(track, track.dropFirst()).map { $1.timestamp - $0.timestamp }
    guard !intervals.isEmpty else { return }
    let usual = intervals.sorted()[intervals.count / 2]
    let longest = max(.seconds(10), usual * 5)
    for (index, interval) in zip(1..., intervals) where interval > longest || interval < .zero {
      track[index].followsGap = true
    }
  }
}
