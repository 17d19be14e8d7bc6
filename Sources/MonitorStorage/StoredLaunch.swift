package import Geofencing
import SQLite

/// What is kept about the unit that reads a monitor's events.
package struct StoredLaunch: Sendable, Hashable {
  /// The unit that the monitor's owner has set; nil where the configuration names it.
  package let unit: String?

  /// Events up to this one are no reason to start it.
  package let since: Int64

  package init(unit: String?, since: Int64) {
    self.unit = unit
    self.since = since
  }
}

/// The launch units of monitors.
extension MonitorStore {
  /// What is kept, of all monitors.
  package func launches() throws -> [MonitorKey: StoredLaunch] {
    var launches: [MonitorKey: StoredLaunch] = [:]
    try connection.query("SELECT user, monitor, launch_unit, launch_since FROM monitor") { row in
      let key = MonitorKey(user: row.user(0), name: try row.text(1))
      launches[key] = StoredLaunch(unit: row[2].text, since: try row.integer(3))
    }
    return launches
  }

  /// What is kept of one.
  package func launch(of monitor: MonitorKey) throws -> StoredLaunch? {
    try connection.query(
      "SELECT launch_unit, launch_since FROM monitor WHERE user = ? AND monitor = ?",
      [.integer(Int64(monitor.user)), .text(monitor.name)]
    ) { row in StoredLaunch(unit: row[0].text, since: try row.integer(1)) }.first
  }

  /// How many monitors of a user have a unit that was set.
  package func countOfLaunchUnits(of user: UInt32) throws -> Int {
    try connection.query(
      "SELECT count(*) FROM monitor WHERE user = ? AND launch_unit IS NOT NULL",
      [.integer(Int64(user))]
    ) { row in Int(try row.integer(0)) }.first ?? 0
  }

  /// Keeps the launch unit of a monitor, in the place of what was kept.
  ///
  /// - Parameter isNew: whether there may have been none, so that there has to be room for it.
  package func put(_ launch: StoredLaunch, of monitor: MonitorKey, isNew: Bool = false) throws {
    try connection.runDurably(
      """
      INSERT OR REPLACE INTO monitor (user, monitor, launch_unit, launch_since)
      VALUES (?, ?, ?, ?)
      """,
      [
        .integer(Int64(monitor.user)), .text(monitor.name), .text(launch.unit),
        .integer(launch.since),
      ], adding: isNew ? 1 : 0)
  }

  /// Forgets the launch unit of a monitor.
  package func removeLaunch(of monitor: MonitorKey) throws {
    try connection.runDurably(
      "DELETE FROM monitor WHERE user = ? AND monitor = ?",
      [.integer(Int64(monitor.user)), .text(monitor.name)])
  }
}
