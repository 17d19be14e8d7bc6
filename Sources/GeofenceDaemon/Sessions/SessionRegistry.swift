import ControlInterface
import Geofencing

/// The rules of background activity sessions, as a plain value that is given the time.
///
/// A session belongs to a user, has a name, and is held by any number of calls. After the last one has gone it goes
/// on for the grace time, in which a call with that name can join it again. Then it lapses.
struct SessionRegistry {
  /// What identifies a session.
  struct Key: Hashable, Sendable {
    let user: UInt32
    let name: String
  }

  /// What identifies one call that holds a session: another call gets another one.
  struct Holder: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct Entry {
    let since: Timestamp
    var holders: Set<Holder>
    /// When it lapses, as uptime; nil while it is held.
    var lapse: Duration?
  }

  private var entries: [Key: Entry] = [:]
  private var nextHolder: UInt64 = 0

  /// The sessions that are alive.
  var keys: Set<Key> { Set(entries.keys) }

  /// When the next one lapses; nil when all are held.
  var nextLapse: Duration? { entries.values.compactMap(\.lapse).min() }

  /// Begins a session, or joins the one of that name, and holds it until ``release(_:of:at:grace:)``.
  ///
  /// - Parameters:
  ///   - uptime: The present, by which sessions lapse.
  ///   - date: The present for people: when a new session began.
  ///   - maximum: How many sessions a user may have.
  /// - Throws: `quotaExceeded`, when a new one would be more than that.
  mutating func hold(
    _ key: Key, at uptime: Duration, date: Timestamp, maximum: Int
  ) throws(ControlError) -> (holder: Holder, outcome: Session.Outcome, since: Timestamp) {
    // A session whose time is over can't be joined, even if it wasn't removed yet.
    lapse(at: uptime)
    let holder = Holder(number: nextHolder)
    nextHolder += 1
    if var entry = entries[key] {
      entry.holders.insert(holder)
      entry.lapse = nil
      entries[key] = entry
      return (holder, .rejoined, entry.since)
    }
    guard entries.keys.count(where: { $0.user == key.user }) < maximum else {
      throw ControlError(
        .quotaExceeded,
        "user \(key.user) has as many sessions as MaximumSessionsPerUser= allows: \(maximum)")
    }
    entries[key] = Entry(since: date, holders: [holder])
    return (holder, .begun, date)
  }

  /// Whether a call still holds a session: another call may have ended it.
  func isHeld(_ key: Key, by holder: Holder) -> Bool {
    entries[key]?.holders.contains(holder) ?? false
  }

  /// How many calls hold a session; 0 when there is none.
  func holders(of key: Key) -> Int { entries[key]?.holders.count ?? 0 }

  /// Releases a session; with the last holder its grace time begins.
  mutating func release(
    _ holder: Holder, of key: Key, at uptime: Duration, grace: Duration
  ) {
    guard var entry = entries[key], entry.holders.remove(holder) != nil else { return }
    if entry.holders.isEmpty { entry.lapse = uptime + grace }
    entries[key] = entry
    lapse(at: uptime)
  }

  /// Ends a session at once; false when there is none.
  mutating func invalidate(_ key: Key, at uptime: Duration) -> Bool {
    lapse(at: uptime)
    return entries.removeValue(forKey: key) != nil
  }

  /// Ends the sessions whose grace time is over.
  mutating func lapse(at uptime: Duration) {
    entries = entries.filter { $0.value.lapse.map { $0 > uptime } ?? true }
  }

  /// The sessions of a user, or of all, in the order of users and names.
  func sessions(
    ofUser user: UInt32?, at uptime: Duration, date: Timestamp
  ) -> [BackgroundSession] {
    entries.filter { key, entry in
      (user == nil || key.user == user) && entry.lapse.map { $0 > uptime } ?? true
    }.map { key, entry in
      BackgroundSession(
        user: key.user, name: key.name, since: entry.since, holders: entry.holders.count,
        lapses: entry.lapse.map { date + ($0 - uptime) })
    }.sorted { ($0.user, $0.name) < ($1.user, $1.name) }
  }
}
