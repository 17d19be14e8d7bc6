import CommandLineParsing
import GeofenceDaemon
import LinuxSystem

/// The command `geofenced launch`, which systemd starts for the daemon.
enum LaunchCommand: Subcommand {
  static let definition = Command(
    "launch", abstract: "Start one unit for the daemon, which may not.",
    discussion: "systemd runs it for each connection to geofenced-launch.socket.",
    examples: [
      Example("systemctl enable --now geofenced-launch.socket", "Have it run when it is needed.")
    ],
    isHidden: true)

  static func run(_ arguments: ParsedArguments) async throws {
    ProcessSignals.ignoreBrokenPipes()
    try await Launcher.run()
  }
}
