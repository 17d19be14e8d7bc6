import Positioning
import TestSupport

@testable import GeofenceDaemon
@testable import MonitorStorage

extension ControlMethods {
  /// The methods of a daemon that has no receiver.
  init(
    _ monitoring: Monitoring, in folder: String,
    diagnostics: ReceiverDiagnostics = ReceiverDiagnostics(),
    configuration: @escaping @Sendable () -> Configuration = { Configuration() },
    sessions: BackgroundSessions? = nil, connected: ConnectedConsumers = ConnectedConsumers(),
    launches: MonitorLaunches? = nil, clock: DaemonClock = .system
  ) {
    let reader = EventReader(path: folder + "/geofenced.db")
    let need = ReceiverNeed()
    self.init(
      monitoring: monitoring, reader: reader, queries: reader, broadcast: LocationBroadcast(),
      status: StatusReporter(
        monitoring: monitoring, reader: reader, receiver: diagnostics,
        motion: MotionHints(settings: { configuration().receiver }, clock: clock),
        connected: connected, isListening: { _ in false }, configuration: configuration,
        clock: clock),
      sessions: sessions ?? BackgroundSessions(configuration: configuration, clock: clock),
      connected: connected, need: need, clock: clock,
      recorder: Recorder(
        in: folder, limits: { configuration().recording }, need: need, clock: clock),
      launches: launches ?? MonitorLaunches(interval: configuration().launch.interval),
      configuredUnits: { configuration().launch.units })
  }
}
