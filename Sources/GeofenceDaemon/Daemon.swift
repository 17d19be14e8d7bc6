import ControlInterface
import EventDelivery
import Glibc
package import LinuxSystem
import MonitorStorage
import Positioning
import SQLite
import Systemd
import Varlink

/// The daemon as a whole: opens what it needs, runs its services, and closes in order.
package struct Daemon: Sendable {
  /// The configuration in force at the start.
  private let configuration: Configuration

  /// Reads the configuration again; if the result has none, its issues say why.
  private let load: @Sendable () -> Configuration.Loaded

  package var clock = DaemonClock.system

  /// Returns when a sensor felt motion, or the task is cancelled; nil to use the machine's own sensor.
  package var motion: (@Sendable () async -> Void)?

  private let log = OperatorLog()
  private let notifier = ServiceNotifier()

  package init(
    configuration: Configuration, reload load: @escaping @Sendable () -> Configuration.Loaded
  ) {
    self.configuration = configuration
    self.load = load
  }

  /// Runs until it is asked to stop, by a signal or by `stop`.
  ///
  /// - Throws: what kept it from starting, or the service that failed.
  package func run(stop: StopRequest = StopRequest(), signals: ProcessSignals?) async throws {
    defer { log.finish() }
    let storage = configuration.storage
    try makeDirectory(storage.stateDirectory, mode: 0o700)
    let lock = try Self.lock(storage.stateDirectory)
    defer { withExtendedLifetime(lock) {} }
    // The state is locked by now: so sockets that are there already are those of a daemon that is gone.
    let listeners = try makeListeners(in: configuration.socket.runtimeDirectory)

    // Positions are personal data: the files are for their owner only, whatever the directory allows.
    _ = umask(0o077)
    let reloads = SequenceSignal(latest: 0)
    let running = RunningServices()
    var guards: [any Service] = []
    if let signals {
      // It holds for the whole process, which is the daemon's own.
      Connection.forgoMemoryStatistics()
      ProcessMemory.boundHeaps()
      let loop = EventLoop(label: "geofenced.guards")
      guards = [
        SignalService(
          signals: signals, stop: stop, notifier: notifier, reloads: reloads,
          clock: clock, loop: loop),
        PatienceService(
          stop: stop, running: running, log: log, clock: clock, loop: loop),
      ]
    }
    // These also run while the log is opened, which takes time, and while the end is written, which may hang.
    try await Supervisor(guards).run {
      try await serve(listeners, reloads, running, until: stop)
    }
  }

  private static let ended = "Stopped"

  /// Opens the event log, and runs the services until they are asked to stop.
  private func serve(
    _ listeners: Listeners, _ reloads: SequenceSignal, _ running: RunningServices,
    until stop: StopRequest
  ) async throws {
    let need = ReceiverNeed()
    guard let monitoring = try await openLog(need, until: stop) else {
      // It was asked to stop before anything was judged: there is nothing to store.
      return log.say(.notice, Self.ended, isLast: true)
    }
    running.noteLogOpen()
    let configuration = ConfigurationStore(self.configuration)
    let path = monitoring.path
    // A connection for long questions only, so that consumers and starts don't wait for them.
    let queries = EventReader(path: path)
    let diagnostics = ReceiverDiagnostics()
    let broadcast = LocationBroadcast()
    let sessions = BackgroundSessions(
      configuration: { configuration.current }, clock: clock)
    let connected = ConnectedConsumers()
    let launches = WatchedState(LaunchPolicy(interval: .zero))
    let launching = UnitLaunching(besideSocket: listeners.control.path)
    let motion = MotionHints(settings: { configuration.current.receiver }, clock: clock)
    let limits = self.configuration.socket.varlink
    let eventsSocket = EventsSocket(
      on: listeners.events, from: monitoring, maximumConnections: limits.maximumConnections,
      maximumConnectionsPerUser: limits.maximumConnectionsPerUser, loop: monitoring.loop)
    let status = StatusReporter(
      monitoring: monitoring, reader: queries, receiver: diagnostics, motion: motion,
      connected: connected, isListening: { eventsSocket.isConnected(user: $0) },
      configuration: { configuration.current }, clock: clock)
    let recorder = Recorder(
      in: self.configuration.storage.stateDirectory,
      limits: { configuration.current.storage }, need: need, clock: clock)
    let methods = ControlMethods(
      monitoring: monitoring, queries: queries, broadcast: broadcast, status: status,
      sessions: sessions, connected: connected, need: need, clock: clock, recorder: recorder,
      launches: launches, configuredUnits: { configuration.current.launch.units })
    let server = try Self.makeServer(methods, limits: limits)

    let services: [any Service] = [
      ReloadService(requests: reloads, stop: stop, notifier: notifier) {
        await reload(configuration, monitoring)
      },
      MaintenanceService(
        monitoring: monitoring, status: status, diagnostics: diagnostics, log: log,
        notifier: notifier, changes: methods.changes,
        listeners: [listeners.control, listeners.events], clock: clock),
      WriteAheadLogService(
        monitoring: monitoring, checkpointer: Checkpointer(path: path), clock: clock),
      WatchdogService(monitoring: monitoring, notifier: notifier, clock: clock),
      NamedService(name: "session") {
        await sessions.watch { key, lives in
          let reason = ReceiverNeed.Reason.session("\(key.user)/\(key.name)")
          if lives { need.add(reason) } else { need.remove(reason) }
        }
      },
      RecordingService(recorder: recorder, log: log, clock: clock),
      JournalService(
        configuration: configuration, source: monitoring, status: status, clock: clock),
      LaunchService(
        monitoring: monitoring, reader: EventReader(path: path), connected: connected,
        launches: launches, configuration: configuration, log: log, clock: clock,
        start: launching.start),
      NamedService(name: "events socket") { await eventsSocket.run() },
      NamedService(name: "control") { await server.run(on: listeners.control) },
      PositionService(
        monitoring: monitoring, broadcast: broadcast, diagnostics: diagnostics,
        configuration: configuration, need: need,
        motion: self.motion ?? { await motion.waitForMotion() }, tap: recorder.tap.offer,
        clock: clock),
    ]
    notifier.ready()
    log.say(.notice, "Listening on \(listeners.control.path) and \(listeners.events.path)")
    try await play(services, running, until: stop, monitoring)
  }

  /// Opens the event log, or begins a new one if that is damaged; nil if the daemon is asked to stop meanwhile.
  private func openLog(_ need: ReceiverNeed, until stop: StopRequest) async throws -> Monitoring? {
    var stored: StoredMonitors?
    let settings = configuration
    let database = try await MonitorDatabase.open(
      directory: configuration.storage.stateDirectory, now: clock.now()
    ) { store in
      stored = try await StoredMonitors.read(
        from: store, decision: settings.decision, checkpoint: settings.storage.checkpoint)
    }
    let wasSetAside = database.setAside != nil
    if let (path, problem) = database.setAside {
      stored = nil
      log.say(
        .error,
        "The event log was damaged, was set aside as \(path), and a new one begun: \(problem); "
          + "conditions that were saved: \(database.savedConditions)",
        id: .logSetAside)
    }
    switch database.olderCopy {
    case .success(let path)?:
      log.say(.notice, "The database is an older version's: a copy of it is kept as \(path)")
    case .failure(let error)?:
      log.say(.warning, "The database is an older version's, and no copy of it is kept: \(error)")
    case nil: break
    }
    if database.hasNewIndexes {
      log.say(.warning, "The indexes of the event log were damaged, and were made anew")
    }
    guard !stop.isMade else { return nil }
    let path = database.path
    let monitoring: Monitoring
    do {
      monitoring = try Monitoring(
        database, settings: settings, clock: clock, need: need, stored: stored.take())
    } catch let error as SQLiteError {
      throw StorageError.unusable(path, error)
    }
    // Said aloud: otherwise nobody would notice that an older state, in another place, isn't used.
    if monitoring.hasNewLog, !wasSetAside {
      log.say(.notice, "Began a new event log in \(monitoring.path)")
    }
    return monitoring
  }

  /// Runs the services until they are asked to stop or one fails, and then stores what isn't stored yet.
  private func play(
    _ services: [any Service], _ running: RunningServices, until stop: StopRequest,
    _ monitoring: Monitoring
  ) async throws {
    var failure: (any Error)?
    do {
      // After a failure the other services have as much time to stop as after a signal.
      try await Supervisor(services, running: running, failed: { stop.make() }).run {
        await stop.wait()
      }
    } catch {
      failure = error
    }
    await monitoring.finish()
    let lost = await monitoring.takeUntoldLost()
    let summary = await monitoring.summary(ofUser: nil)
    if lost + summary.pending > 0 {
      let error = DaemonError.eventsLost(lost + summary.pending, because: summary.storageFailure)
      log.say(.error, "\(error)", id: .storageFailing, isLast: true)
      throw failure ?? error
    }
    if let failure { throw failure }
    log.say(.notice, Self.ended, isLast: true)
  }

  /// Puts a new configuration in force, or keeps the old one and says why.
  private func reload(_ store: ConfigurationStore, _ monitoring: Monitoring) async {
    let (new, issues) = load()
    for issue in issues {
      log.say(issue.severity == .error ? .error : .warning, issue.description)
    }
    guard let new else {
      log.say(.error, "The configuration has errors, keeping the one in force")
      return
    }
    await monitoring.apply(new)
    store.replace(with: new)
    log.say(.notice, "The configuration was read again")
    if let notice = new.noticeOfStart(insteadOf: configuration) {
      log.say(.notice, notice)
    }
  }

  /// Locks a state directory.
  ///
  /// Two daemons in one would give the same numbers to different events, and neither would see the conditions that are
  /// added by the other.
  private static func lock(_ directory: String) throws -> FileLock {
    let path = directory + "/lock"
    let reason: String
    do {
      if let lock = try FileLock(path: path) { return lock }
      reason = "another geofenced uses this state directory: stop it, or give --state-directory"
    } catch .permissionDenied {
      reason =
        "it and its folder have to belong to the user of the daemon: 'systemctl start geofenced' "
        + "starts the system's service; else give folders with --state-directory and "
        + "--runtime-directory"
    } catch {
      reason = "\(error)"
    }
    throw StorageError.unusable(path: path, reason: reason)
  }

  static func makeServer(
    _ methods: ControlMethods, limits: VarlinkLimits
  ) throws -> VarlinkServer {
    try VarlinkServer(
      interfaces: [methods.interface()], faults: GeofencedInterface.name,
      information: VarlinkInformation(product: "geofenced"), limits: limits)
  }

  private typealias Listeners = (control: ListeningSocket, events: ListeningSocket)

  /// The two sockets, as the service manager passed them or made here.
  private func makeListeners(in directory: String) throws -> Listeners {
    let passed = try ActivatedSockets.take()
    func listener(_ name: String) throws -> ListeningSocket {
      if let socket = passed.first(where: { $0.path.hasSuffix("/\(name)") }) { return socket }
      try makeDirectory(directory, mode: 0o755)
      let path = "\(directory)/\(name)"
      do {
        return try ListeningSocket(path: path)
      } catch let error as Errno {
        throw DaemonError.cannotListen(path: path, error)
      }
    }
    let (control, events) = (
      try listener(GeofencedInterface.socketName), try listener(GeofencedInterface.eventsSocketName)
    )
    // Clients of a socket that nobody serves would wait for ever.
    if let unused = passed.first(where: { $0 !== control && $0 !== events }) {
      throw DaemonError.unusedSocket(path: unused.path)
    }
    return (control, events)
  }

  private func makeDirectory(_ path: String, mode: UInt32) throws {
    guard unsafe mkdir(path, mode) != 0, errno != EEXIST else { return }
    throw DaemonError.cannotMakeDirectory(path: path, Errno.last)
  }
}
