import Varlink

/// What the daemon and its launcher say to each other.
///
/// The launcher is a process of its own, which systemd starts for each connection and which may do
/// what the daemon may not: become another user, and start units as root.
enum LauncherInterface {
  static let name = "io.geofenced.Launcher"

  /// The method that starts a unit.
  static let start = "\(name).Start"

  /// The name of the launcher's socket, beside the daemon's own.
  static let socketName = "launch"

  struct Start: Codable, Sendable {
    var user: UInt32
    var unit: String
  }

  static let description = """
    # Starts units for the daemon, which can't. Not for anybody else.
    interface io.geofenced.Launcher

    # Asks the service manager of a user, or for user 0 that of the system, to start
    # a unit.
    method Start(user: int, unit: string) -> ()

    error NoManager (message: string)
    error NoSuchUnit (message: string)
    error Refused (message: string)
    error TimedOut (message: string)
    error Failed (message: string)

    # The caller is neither root nor whom the socket belongs to.
    error PermissionDenied (message: string)

    error MessageTooLong (message: string)
    error MalformedMessage (message: string)
    error TooManyRequests (message: string)
    error TooManyConnections (message: string)

    """

  /// The error that tells of a failure.
  static func error(_ failure: LaunchFailure) -> VarlinkError {
    VarlinkError("\(name).\(failure.kind.rawValue)", message: failure.description)
  }

  /// The failure that an error tells of.
  static func failure(_ error: VarlinkError) -> LaunchFailure {
    let kind =
      error.name.hasPrefix("\(name).")
      ? LaunchFailure.Kind(rawValue: String(error.name.dropFirst(name.count + 1))) : nil
    return LaunchFailure(kind ?? .failed, error.description)
  }
}
