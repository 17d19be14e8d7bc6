import Glibc
import LinuxSystem
import Systemd
import Varlink

/// Starts the units of monitors: as whoever the daemon is where that will do, else through the launcher.
struct UnitLaunching: Sendable {
  /// How long the launcher may take to answer; its own limits are below it.
  static let patience = Duration.seconds(10)

  private let launcherSocket: String
  private let ownUser: UInt32
  private let starter = UnitStarter()

  /// Starts units of the user that the daemon is by itself, and asks a launcher for the others.
  ///
  /// - Parameter path: of the control socket: the launcher's is in the same directory, also where systemd
  ///   has made both.
  init(besideSocket path: String, ownUser: UInt32 = ProcessUser.effective) {
    let name = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    launcherSocket = path[..<name] + LauncherInterface.socketName
    self.ownUser = ownUser
  }

  /// Starts a unit: one of the system for root, else one of the user's own manager.
  ///
  /// When it returns, the manager has taken it up. A unit that runs already stays as it is.
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

  /// What it means for a user's unit that the launcher couldn't be asked, or gave no answer.
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
