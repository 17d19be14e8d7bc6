import CommandLineParsing
import GeofenceDaemon
import Glibc
import LinuxSystem

/// The command `geofenced run`.
enum RunCommand: Subcommand {
  static let definition = Command(
    "run", abstract: "Run the daemon in the foreground.",
    discussion: """
      Reads fixes from gpsd, judges them, and keeps and reports the events. SIGHUP reads the \
      configuration again. SIGTERM and SIGINT stop it: with exit status 0, or with 1 if events \
      could not be stored, something took longer than 10 seconds to end, or the signal came again \
      after a second or more. Under systemd it is geofenced.service.
      """,
    examples: [
      Example("geofenced run", "Run with /etc/geofenced/geofenced.conf."),
      Example(
        "geofenced run --state-directory ./state --runtime-directory ./run",
        "Try it out, without root."),
      Example("geofenced ctl --socket ./run/io.geofenced status", "Ask that daemon."),
    ],
    options: [
      Option(
        "config", short: "c", takes: .file("FILE"),
        help: "The configuration; without it, /etc/geofenced/geofenced.conf."),
      Option(
        "state-directory", takes: .file("PATH"),
        help:
          "Where conditions and events are kept; overrides StateDirectory= and $STATE_DIRECTORY."),
      Option(
        "runtime-directory", takes: .file("PATH"),
        help: "Where the sockets are made; overrides RuntimeDirectory= and $RUNTIME_DIRECTORY."),
    ])

  /// How many open files the process may have: as many as in the systemd unit.
  private static let openFiles: UInt = 65_536

  static func run(_ arguments: ParsedArguments) async throws {
    ProcessSignals.ignoreBrokenPipes()
    ProcessLimits.raiseOpenFiles(to: openFiles)
    let configuration = try Console.accepted(load(arguments))
    try refuseRootInStead(ofOwnerOf: configuration.storage.stateDirectory)
    // From here on signals don't end the process in the middle of something.
    let signals = await ProcessSignals.start()
    let daemon = Daemon(configuration: configuration, reload: { load(arguments) })
    do {
      try await daemon.run(signals: signals)
    } catch {
      // Standard error may block, and signals don't end the process any more.
      let sentence = "geofenced run: \(error)"
      let last = BackgroundWork(label: "geofenced.end", limit: 1)
      last.add { Console.complain(sentence) }
      last.finish(within: .seconds(1))
      _exit(ExitCode.failure.rawValue)
    }
  }

  /// Refuses to run as root in another user's directory: the service couldn't write the files that root makes there.
  private static func refuseRootInStead(ofOwnerOf directory: String) throws {
    guard ProcessUser.effective == 0, let owner = try? FileStatus(path: directory),
      owner.kind == .directory, owner.uid != 0
    else { return }
    throw CommandFailure(
      description: "the state directory belongs to user \(owner.uid): start the service "
        + "('systemctl start geofenced'), give another with --state-directory, or chown it")
  }

  /// The configuration, with the values of the command line.
  private static func load(_ arguments: ParsedArguments) -> Configuration.Loaded {
    var (configuration, issues) = Configuration.load(
      from: arguments.string("config"), environment: Environment.values)
    if let path = arguments.string("state-directory") {
      configuration?.storage.stateDirectory = path
    }
    if let path = arguments.string("runtime-directory") {
      configuration?.socket.runtimeDirectory = path
    }
    return (configuration, issues)
  }
}
