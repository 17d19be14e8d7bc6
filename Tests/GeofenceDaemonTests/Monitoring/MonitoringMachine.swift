import Geofencing
import MonitorStorage
import Positioning
import SQLite
import Synchronization
import TestSupport

@testable import GeofenceDaemon

/// The daemon's state directory and its clock; the daemon may be started on it again and again.
final class MonitoringMachine: Sendable {
  private let folder: TemporaryFolder
  private let time = Mutex(Duration.zero)
  private let clockError = Mutex(Duration.zero)
  private let boots = Mutex(1)

  init() throws { folder = try TemporaryFolder() }

  var directory: String { folder.path }

  func wait(_ duration: Duration) { time.withLock { $0 += duration } }

  /// Sets the clock that tells the date, to so much beside the truth.
  func setClock(wrongBy error: Duration) { clockError.withLock { $0 = error } }

  /// Switches it off and on again; what was started before isn't used any more.
  func reboot() { boots.withLock { $0 += 1 } }

  func start(
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> Monitoring {
    var settings = Configuration()
    settings.decision = .leaping
    change(&settings)
    let clock = DaemonClock(
      sleeping: ManualClock(), uptime: { [self] in time.withLock { $0 } },
      now: { [self] in
        at(1000) + time.withLock { $0 } + clockError.withLock { $0 }
      }, boot: "boot \(boots.withLock { $0 })")
    return try Monitoring(
      MonitorDatabase(directory: directory, now: at(1000)), settings: settings, clock: clock)
  }

  /// All events in the log.
  func events() async throws -> [Event] {
    try await EventReader(path: directory + "/geofenced.db").page(after: 0, limit: 10_000).events
      .map(\.event)
  }

  /// Does something to the database, beside the daemon.
  func runSQL(_ sql: String) throws {
    try Connection(path: directory + "/geofenced.db").execute(sql)
  }

  /// Makes every insertion into a table, or change of it, fail, as a full disk would, until it is
  /// ended.
  func breakTable(_ table: String, on action: String = "INSERT") throws -> BrokenTable {
    try BrokenTable(path: directory + "/geofenced.db", table: table, action: action)
  }
}

/// A table that takes nothing until it is mended.
struct BrokenTable {
  private let connection: Connection
  private let name: String

  init(path: String, table: String, action: String) throws {
    connection = try Connection(path: path)
    name = "broken_\(table)"
    try connection.execute(
      """
      CREATE TRIGGER \(name) BEFORE \(action) ON \(table)
      BEGIN SELECT RAISE(ABORT, 'no room left'); END
      """)
  }

  func mend() throws { try connection.execute("DROP TRIGGER \(name)") }
}

/// What the tests of the monitoring actor share.
protocol MonitoringSuite {
  /// What the daemon runs on.
  var machine: MonitoringMachine { get }
}

extension MonitoringSuite {
  var own: MonitorKey { MonitorKey(user: 1000, name: "default") }

  /// A daemon that watches one condition.
  func watching(
    _ condition: Condition? = nil, as identifier: String = "home", assuming state: ConditionState,
    _ change: (inout Configuration) -> Void = { _ in }
  ) async throws -> Monitoring {
    let monitoring = try machine.start(change)
    _ = try await monitoring.add(
      condition ?? circle(), identifier: identifier, to: own, assuming: state)
    return monitoring
  }

  func key(_ identifier: String) -> ConditionKey {
    ConditionKey(monitor: own, identifier: identifier)
  }

  func fix(_ second: Double, inside: Bool) throws -> Location {
    Location(
      timestamp: at(second),
      coordinate: try Coordinate(validLatitude: inside ? 47 : 47.01, longitude: 8),
      horizontalAccuracy: 3)
  }

  /// Inside or outside each second, with the clock going along.
  func drive(_ monitoring: Monitoring, _ letters: String, from start: Double) async throws {
    for (index, letter) in letters.enumerated() {
      await monitoring.process(try fix(start + Double(index), inside: letter == "i"))
      machine.wait(.seconds(1))
    }
  }

  func short(_ events: [Event]) -> [String] {
    events.map { event in
      let transition = event.transition
      let second = Int((transition.date - at(0)).inSeconds)
      return "\(event.sequence) \(transition.key.identifier) \(transition.kind.rawValue) \(second)"
    }
  }
}

/// A circle on the meridian of 8 degrees; by default around where those fixes are that are inside.
func circle(
  _ radius: Double = 100, latitude: Double = 47, altitude: AltitudeBand? = nil,
  enterAfter: Duration? = nil, exitAfter: Duration? = nil, confidence: Double? = nil,
  expires: Timestamp? = nil
) throws -> Condition {
  try Condition(
    shape: .circle(
      CircularGeographicCondition(
        center: Coordinate(validLatitude: latitude, longitude: 8), radius: radius)),
    altitude: altitude, enterAfter: enterAfter, exitAfter: exitAfter, confidence: confidence,
    expires: expires)
}

extension Monitoring {
  /// Judges a fix by itself.
  func process(_ fix: Location) { process(LocationUpdate(location: fix)) }
}
