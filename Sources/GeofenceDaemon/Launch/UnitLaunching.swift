import Glibc
import LinuxSystem
import Systemd
import Varlink

/// Starts the units of monitors: directly if they are of the daemon's own user, else through the launcher.
struct UnitLaunching: Sendable {
  /// How long the launcher may take to answer: longer than it waits for a service manager.
  static let patience = Duration.seconds(10)

  private let launcherSocket: String
  private let ownUser: UInt32
  private let starter = UnitStarter()

  /// Starts units of the daemon's own user directly, and asks a launcher for the others.
  ///
  /// - Parameter path: The path of the control socket. The launcher's socket is in the same directory.
  init(besideSocket path: String, ownUser: UInt32 = ProcessUser.effective) {
    let name = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    launcherSocket = path[..<name] + LauncherInterface.socketName
    self.ownUser = ownUser
  }

  /// Starts a unit: one of the system for root, else one of the user's own manager.
  ///
  /// When it returns, the manager has queued the start. A unit that runs already stays as it is.
  func start(_ unit: UnitName, of user: UInt32) async throws(LaunchFailure) {
    if user == ownUser {
      do {
        return try await starter.start(unit, by: user == 0 ? .system : .user(user))
      } catch {
        throw LaunchFailure(error, starting: unit, of: user)
      }
    }
    do {
      let connection = try await VarlinkConnection.connect(
        toPath: launcherSocket, replyTimeout: Self.patience)
      let _: NoParameters = try await connection.call(
        LauncherInterface.start, LauncherInterface.Start(user: user, unit: unit.description))
    } catch let error as VarlinkError {
      throw LauncherInterface.failure(error)
    } catch let error as VarlinkConnectionError {
      throw failure(error, of: user)
    } catch {
      throw LaunchFailure(.failed, "\(error)")
    }
  }

  /// The failure of a user's unit if the launcher couldn't be asked or gave no answer.
  private func failure(_ error: VarlinkConnectionError, of user: UInt32) -> LaunchFailure {
    switch error {
    case .timedOut:
      LaunchFailure(.timedOut, "the launcher at \(launcherSocket) did not answer in time")
    case .noSuchSocket, .noSocket, .nobodyListens:
      LaunchFailure(
        .noLauncher,
        "the daemon may not start units of \(user == 0 ? "the system" : "user \(user)"), and no "
          + "launcher answers at \(launcherSocket) (\(error)): run "
          + "'systemctl enable --now geofenced-launch.socket'")
    case .permissionDenied:
      LaunchFailure(
        .failed,
        "the daemon may not connect to the launcher at \(launcherSocket): 'systemctl cat "
          + "geofenced-launch.socket' shows whose it is, SocketUser= has to be the daemon's user")
    case .closed:
      LaunchFailure(
        .failed,
        "the launcher at \(launcherSocket) ended without an answer: see "
          + "'journalctl -u \"geofenced-launch@*\" -u geofenced-launch.socket'")
    default:
      LaunchFailure(
        .failed,
        "asking the launcher at \(launcherSocket) failed (\(error)): see "
          + "'journalctl -u \"geofenced-launch@*\"'")
    }
  }
}
