import Glibc
import LinuxSystem
import Systemd
import Varlink

/// Starts the units of monitors: as whoever the daemon is where that will do, else through the launcher.
struct UnitLaunching: Sendable {
  /// How long a start may take in all; the launcher's own limits are below it.
  static let patience = Duration.seconds(10)

  private let launcherSocket: String
  private let ownUser: UInt32
  private let starter = UnitStarter()

  /// Starts units of the user that the daemon is by itself, and asks a launcher for the others.
  ///
  /// - Parameter runtimeDirectory: where the launcher's socket is.
  init(runtimeDirectory: String, ownUser: UInt32 = ProcessUser.effective) {
    launcherSocket = "\(runtimeDirectory)/\(LauncherInterface.socketName)"
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
      let _: LauncherInterface.Started = try await connection.call(
        LauncherInterface.start, LauncherInterface.Start(user: user, unit: unit.description))
    } catch let error as VarlinkError {
      throw LauncherInterface.failure(error)
    } catch VarlinkConnectionError.timedOut {
      throw LaunchFailure(.timedOut, "the launcher at \(launcherSocket) did not answer in time")
    } catch {
      throw LaunchFailure(
        .noLauncher,
        "the daemon may not start units of \(user == 0 ? "the system" : "user \(user)"), and no "
          + "launcher answers at \(launcherSocket) (\(error)): run "
          + "'systemctl enable --now geofenced-launch.socket'")
    }
  }
}
