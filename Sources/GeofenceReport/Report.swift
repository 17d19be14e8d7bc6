package import Geofencing

/// What happened along a track; ``HTMLReport`` and ``GeoJSONReport`` write it.
package struct Report: Sendable {
  /// A fix that was used.
  package struct TrackPoint: Sendable, Hashable {
    package var timestamp: Timestamp
    package var coordinate: Coordinate

    /// Metres per second over ground, if the receiver said so.
    package var speed: Double?

    /// The radius in metres that holds the position with 68 %, if the receiver said so.
    package var horizontalAccuracy: Double?

    /// Whether there is a gap before it, in which nothing is known of the way.
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

  /// A fix that was left out, with the reason in words.
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

    /// Its state at the end; nil if it follows from the events.
    package var state: ConditionState?

    /// Since when it is watched; nil for since the beginning.
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

  /// An event, and its reasons as sentences.
  package struct ExplainedEvent: Sendable {
    package var event: Event
    package var sentences: [String]

    package init(event: Event, sentences: [String]) {
      self.event = event
      self.sentences = sentences
    }
  }

  /// Its title, in a few words.
  package var title: String

  /// The origin of the track, as a sentence.
  package var origin: String

  /// What else a reader has to know, such as what was left out and why: one sentence each.
  package var remarks: [String] = []

  /// The fixes in the order in which they were used.
  package var track: [TrackPoint] = []

  package var rejections: [Rejection] = []

  /// How many fixes were left out, by the reason in words; nil if all of them are in ``rejections``.
  package var rejectionCounts: [String: Int]?

  /// The conditions that were watched; each key once.
  package var fences: [Fence] = []

  /// The events, oldest first.
  package var events: [ExplainedEvent] = []

  /// How many events were removed from ``events``; below, the date and the state of the last one of each condition.
  var untoldEvents = 0
  var untold: [ConditionKey: (date: Timestamp, state: ConditionState)] = [:]

  /// Since when removed conditions are known to have been watched, if their first event in ``events`` doesn't say it.
  package var watchedSince: [ConditionKey: Timestamp] = [:]

  /// The time that was asked for; nil for the time of the fixes and the events.
  package var requested: ClosedRange<Timestamp>?

  /// The time zone of all times.
  package var zone = TimeZone.utc

  package init(title: String, origin: String) {
    self.title = title
    self.origin = origin
  }

  /// The time from the first fix or event to the last one, and at least the time that was asked for; nil if there is
  /// nothing.
  package var span: ClosedRange<Timestamp>? {
    if let requested { return requested }
    // A condition may have expired long before a recording began, which isn't a part of it.
    let transitions = events.map(\.event.transition).filter {
      track.isEmpty || $0.kind != .unmonitored
    }
    var dates =
      track.map(\.timestamp) + transitions.map(\.date)
      + transitions.compactMap(\.bounds?.lowerBound)
    // Refused fixes may have any date, so they count only if there is nothing else.
    if dates.isEmpty { dates = rejections.compactMap(\.fix.timestamp) }
    guard let first = dates.min(), let last = dates.max() else { return nil }
    return first...last
  }

  /// Adds a remark about conditions that may have had another shape at their events: only the present one is shown.
  package mutating func noteReplacements() {
    let added = Dictionary(fences.map { ($0.key, $0.added) }) { first, _ in first }
    var replaced: Set<ConditionKey> = []
    var latest: Timestamp?
    for event in events.map(\.event) {
      let key = event.transition.key
      // A condition that ended and is there was added again, whatever the clock says.
      var isOver = event.transition.kind == .unmonitored && added.keys.contains(key)
      // After an event that was recorded later the clock was set back, perhaps after the condition was added.
      if let recorded = event.recorded, recorded >= latest ?? recorded {
        latest = recorded
        // The same is possible if the event's own date is later than the addition.
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

  /// How conditions are named in this report.
  var naming: ConditionNaming {
    ConditionNaming(fences.map(\.key) + events.map(\.event.transition.key))
  }
}

/// The parts of a condition's key that its name needs to be unique: the monitor if there are several, and the owner if
/// there are several.
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
  /// Marks the gaps: where fixes are more than ten seconds and five times the median interval apart, or where time
  /// steps back.
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
