import LinuxSystem
import Systemd
import Varlink

/// The privileged program behind the socket `launch`: starts a unit for the daemon, and ends.
///
/// It answers only root and the owner of the socket, takes nothing but a uid and the name of a unit, and starts
/// only units that are installed. For another user than root it becomes that user for good before it talks to
/// that user's service manager.
package struct Launcher: Sendable {
  /// The longest message: a uid and a name need no more.
  private static let maximumMessageBytes = 4_096

  /// Who may use it beside root.
  let owner: UInt32
  private let starter = UnitStarter()

  /// Answers the one connection that systemd has started this process for.
  ///
  /// - Throws: when there is none.
  package static func run() async throws {
    let (socket, path) = try ActivatedSockets.takeConnection()
    // Without a file at the path, nobody but root is trusted.
    let file = try? FileStatus(path: path, followingLinks: false)
    let launcher = Launcher(owner: file?.kind == .socket ? file?.uid ?? 0 : 0)
    try await launcher.serve(socket)
  }

  /// Answers one connection until its end.
  func serve(_ socket: StreamSocket) async throws {
    let interface = try VarlinkInterface(
      text: LauncherInterface.description, methods: ["Start": .call(start)],
      failure: { LauncherInterface.error(LaunchFailure(.failed, "\($0)")) })
    var limits = VarlinkLimits()
    limits.maximumMessageBytes = Self.maximumMessageBytes
    limits.maximumRequestsPerSecond = 10
    let server = try VarlinkServer(
      interfaces: [interface], faults: LauncherInterface.name,
      information: VarlinkInformation(product: "geofenced launcher"), limits: limits)
    await server.serve(socket)
  }

  private func start(
    _ parameters: LauncherInterface.Start, _ call: VarlinkCall
  ) async throws -> NoParameters {
    guard call.user == 0 || call.user == owner else {
      throw VarlinkError(
        "\(LauncherInterface.name).PermissionDenied",
        message: "only the daemon may have units started; use 'geofenced ctl monitor set'")
    }
    guard let unit = UnitName(parameters.unit) else {
      throw VarlinkError.invalidParameter("unit", message: "this wants \(UnitName.expectation)")
    }
    let user = parameters.user
    do throws(UnitStartError) {
      if user != 0 { try become(user) }
      try await starter.start(unit, by: user == 0 ? .system : .user(user))
    } catch {
      throw LauncherInterface.error(LaunchFailure(error, starting: unit, of: user))
    }
    return NoParameters()
  }

  /// Becomes a user whose service manager runs.
  private func become(_ user: UInt32) throws(UnitStartError) {
    if ProcessUser.effective == user { return }
    let directory = "\(UnitStarter.Manager.runtimeDirectories)/\(user)"
    // The directory exists while the user's manager runs, and belongs to the user and the user's group.
    guard let owner = try? FileStatus(path: directory, followingLinks: false),
      owner.kind == .directory, owner.uid == user
    else {
      throw .noManager(address: directory)
    }
    do {
      try ProcessUser.become(uid: owner.uid, gid: owner.gid)
    } catch {
      throw .failed(error)
    }
  }
}
