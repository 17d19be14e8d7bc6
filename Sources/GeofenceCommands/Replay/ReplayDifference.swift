import Geofencing

/// How the events of two replays of one recording differ.
///
/// An event of one replay is the same as one of the other if both bring the same condition to the same state, and
/// neither has another partner that is nearer in time. They are at most ``longestShift`` apart, and of the same kind if
/// there is such a partner.
struct ReplayDifference {
  /// How far apart the times of the same event may be.
  static let longestShift = Duration.seconds(3_600)

  /// What became of an event.
  enum Change: String, Encodable {
    /// It happens before and not after.
    case removed
    /// It happens after and not before.
    case added
    /// It happens in both, at another time, as another kind or between other bounds.
    case moved
    /// It is the same in both.
    case same
  }

  /// An event of one replay or of both; programs rely on its JSON.
  struct Entry: Encodable {
    let change: Change
    let before: Event?
    let after: Event?

    /// How many seconds later it happens after the change; nil if it happens only in one of both.
    let shift: Double?

    fileprivate init(before: Event?, after: Event?) {
      self.before = before
      self.after = after
      guard let old = before?.transition, let new = after?.transition else {
        change = before == nil ? .added : .removed
        shift = nil
        return
      }
      let isSame = (old.date, old.kind, old.bounds) == (new.date, new.kind, new.bounds)
      change = isSame ? .same : .moved
      shift = (new.date - old.date).inSeconds
    }

    /// The order of entries.
    fileprivate var order: (Timestamp, Int, Int64, ConditionKey)? {
      (before ?? after).map {
        ($0.transition.date, before == nil ? 1 : 0, $0.sequence, $0.transition.key)
      }
    }
  }

  /// The differences in the order of time.
  let entries: [Entry]

  /// How many events are the same in both.
  let same: Int

  /// The difference between the events of two replays.
  init(from before: [Event], to after: [Event]) {
    var pairs: [Pair] = []
    // First by kind. The rest may have become another kind that leads to the same state.
    let (old, new) = Self.match(before, after, into: &pairs) {
      Place($0, "\($0.transition.kind.rawValue) \($0.transition.state.rawValue)")
    }
    let (removed, added) = Self.match(old, new, into: &pairs) { event in
      let transition = event.transition
      return transition.kind == .crossed ? nil : Place(event, transition.state.rawValue)
    }
    pairs += removed.map { ($0, nil) } + added.map { (nil, $0) }
    let entries = pairs.map { Entry(before: $0.before, after: $0.after) }
    same = entries.count { $0.change == .same }
    self.entries = entries.filter { $0.change != .same }.sorted {
      guard let a = $0.order, let b = $1.order else { return false }
      return a < b
    }
  }

  /// Whether nothing is different.
  var isEmpty: Bool { entries.isEmpty }

  /// The difference in one line, for a person.
  var summary: String {
    func count(_ change: Change) -> Int { entries.count { $0.change == change } }
    let shifts = entries.compactMap { $0.change == .moved ? $0.shift : nil }.sorted()
    var text = Quantity.count(same + shifts.count, "event", "events") + " in both"
    if !shifts.isEmpty {
      text += ", \(shifts.count) of them moved, by \(Quantity.shift(shifts[shifts.count / 2])) "
      text += "in the median"
    }
    return text + "; \(count(.removed)) only before, \(count(.added)) only after"
  }

  // MARK: Matching

  private typealias Pair = (before: Event?, after: Event?)

  /// What two events have to have in common to be the same.
  private struct Place: Hashable {
    let key: ConditionKey
    let what: String

    init(_ event: Event, _ what: String) {
      key = event.transition.key
      self.what = what
    }
  }

  /// Pairs the events that have the same place, and returns those without a partner or a place.
  private static func match(
    _ before: [Event], _ after: [Event], into pairs: inout [Pair], by place: (Event) -> Place?
  ) -> (before: [Event], after: [Event]) {
    let (old, new) = (
      Dictionary(grouping: before, by: place), Dictionary(grouping: after, by: place)
    )
    var left = (before: old[nil] ?? [], after: new[nil] ?? [])
    for case let shared? in Set(old.keys).union(new.keys) {
      let found = align(sorted(old[shared] ?? []), sorted(new[shared] ?? []), into: &pairs)
      left.before += found.before
      left.after += found.after
    }
    return left
  }

  private static func sorted(_ events: [Event]) -> [Event] {
    events.sorted { ($0.transition.date, $0.sequence) < ($1.transition.date, $1.sequence) }
  }

  /// Pairs each event of two lists, which are in the order of time, with the nearest one, and returns the others.
  private static func align(
    _ old: [Event], _ new: [Event], into pairs: inout [Pair]
  ) -> (before: [Event], after: [Event]) {
    func gap(_ i: Int, _ j: Int) -> Duration {
      let difference = new[j].transition.date - old[i].transition.date
      return difference < .zero ? .zero - difference : difference
    }
    var left: (before: [Event], after: [Event]) = ([], [])
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      let here = gap(i, j)
      if i + 1 < old.count, gap(i + 1, j) < here {
        left.before.append(old[i])
        i += 1
      } else if j + 1 < new.count, gap(i, j + 1) < here {
        left.after.append(new[j])
        j += 1
      } else if here <= longestShift {
        pairs.append((old[i], new[j]))
        i += 1
        j += 1
      } else if old[i].transition.date < new[j].transition.date {
        left.before.append(old[i])
        i += 1
      } else {
        left.after.append(new[j])
        j += 1
      }
    }
    left.before += old[i...]
    left.after += new[j...]
    return left
  }
}
