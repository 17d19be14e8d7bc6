import LinuxSystem

/// Asks a service manager to start units.
///
/// Talking to it waits, so it is done on a thread of its own.
package actor UnitStarter {
  /// A service manager.
  package enum Manager: Sendable, Hashable {
    /// The one of the machine.
    case system

    /// A user's own, which runs while the user is logged in or lingers.
    case user(UInt32)

    /// Where the runtime directories of users are.
    package static let runtimeDirectories = "/run/user"

    /// Where its bus listens.
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

  /// How long a manager may take.
  private static let patience = Duration.seconds(5)

  private let executor = SerialQueueExecutor(label: "geofenced.unit-starter")

  package init() {}

  /// Asks a manager to start a unit, and returns when it has taken that up.
  ///
  /// A unit that runs already stays as it is. Only the user itself can talk to a user's manager.
  package func start(_ unit: UnitName, by manager: Manager) throws(UnitStartError) {
    try start(unit, onBus: manager.busPath, within: Self.patience)
  }

  /// Asks the manager on the bus at a path, which has no characters that an address would have to
  /// quote.
  func start(
    _ unit: UnitName, onBus path: String, within limit: Duration
  ) throws(UnitStartError) {
    let bus = try BusConnection(address: "unix:path=\(path)", deadline: .now + limit)
    try bus.open()
    try bus.startUnit(unit.description)
  }
}
