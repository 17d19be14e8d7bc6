import Geofencing

/// Counts the changes of conditions, so that clients can tell whether several pages are of the same moment.
struct ConditionRevisions: Sendable {
  private var latest: Int64 = 0
  private var ofUsers: [UInt32: Int64] = [:]
  private var ofMonitors: [MonitorKey: Int64] = [:]

  /// The count at which the entries of single monitors were dropped: there may be ever more names.
  private var forgotten: Int64 = 0
  private let maximumMonitors: Int

  init(maximumMonitors: Int = 10_000) { self.maximumMonitors = maximumMonitors }

  /// Takes note that conditions of a monitor were added, replaced, changed or removed.
  mutating func note(_ monitor: MonitorKey) {
    latest += 1
    if ofMonitors.count >= maximumMonitors, ofMonitors[monitor] == nil {
      (ofUsers, ofMonitors) = ([:], [:])
      forgotten = latest
    }
    ofUsers[monitor.user] = latest
    ofMonitors[monitor] = latest
  }

  /// A number that is another one after each change of the conditions of a user, or of all users, and of a monitor,
  /// or of all monitors.
  func revision(user: UInt32?, monitor: String?) -> Int64 {
    guard let user else { return latest }
    let known =
      monitor.map { ofMonitors[MonitorKey(user: user, name: $0)] } ?? ofUsers[user]
    return max(known ?? 0, forgotten)
  }
}
