import LinuxSystem

/// Asks a service manager to start units.
///
/// It has to wait for the manager's answers, so it runs on its own thread.
package actor UnitStarter {
  /// A service manager.
  package enum Manager: Sendable, Hashable {
    /// The machine's manager.
    case system

    /// The manager of a user, by user id; it runs while the user is logged in or lingers.
    case user(UInt32)

    /// The directory that has the users' runtime directories.
    package static let runtimeDirectories = "/run/user"

    /// The path of the socket of the manager's bus.
    package var busPath: String {
      switch self {
      case .system: "/run/dbus/system_bus_socket"
      case .user(let uid): "\(Self.runtimeDirectories)/\(uid)/bus"
      }
    }
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// How long a manager may take to accept a start.
  private static let patience = Duration.seconds(5)

  private let executor = SerialQueueExecutor(label: "geofenced.unit-starter")

  package init() {}

  /// Asks a manager to start a unit; returns once it has accepted that.
  ///
  /// A unit that already runs stays as it is. Only a user itself can talk to its manager.
  package func start(_ unit: UnitName, by manager: Manager) throws(UnitStartError) {
    try start(unit, onBus: manager.busPath, within: Self.patience)
  }

  /// Asks the manager on a bus to start a unit.
  ///
  /// - Parameter path: The path of the bus, without characters that have to be quoted in an address.
  func start(
    _ unit: UnitName, onBus path: String, within limit: Duration
  ) throws(UnitStartError) {
    let bus = try BusConnection(address: "unix:path=\(path)", deadline: .now + limit)
    try bus.open()
    try bus.startUnit(unit.description)
  }
}
