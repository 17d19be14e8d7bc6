import LinuxSystem
import Positioning

extension ControlMethods {
  /// The methods of a daemon that has no receiver and no sockets.
  ///
  /// - Parameter folder: The state directory, for recordings.
  init(
    _ monitoring: Monitoring, in folder: String, broadcast: LocationBroadcast = LocationBroadcast(),
    diagnostics: ReceiverDiagnostics = ReceiverDiagnostics(),
    configuration: @escaping @Sendable () -> Configuration = { Configuration() },
    sessions: BackgroundSessions? = nil, connected: ConnectedConsumers = ConnectedConsumers(),
    launches: WatchedState<LaunchPolicy> = WatchedState(LaunchPolicy(interval: .zero)),
    clock: DaemonClock = .system
  ) {
    self.init(
      monitoring: monitoring, queries: monitoring.reader, broadcast: broadcast,
      status: StatusReporter(
        monitoring: monitoring, reader: monitoring.reader, receiver: diagnostics,
        motion: MotionHints(settings: { configuration().receiver }, clock: clock),
        connected: connected, isListening: { _ in false }, configuration: configuration,
        clock: clock),
      sessions: sessions ?? BackgroundSessions(configuration: configuration, clock: clock),
      connected: connected, need: monitoring.need, clock: clock,
      recorder: Recorder(
        in: folder, limits: { configuration().storage }, need: monitoring.need, clock: clock),
      launches: launches,
      configuredUnits: { configuration().launch.units })
  }
}
