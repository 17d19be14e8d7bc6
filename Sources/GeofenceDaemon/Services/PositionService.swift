import EventDelivery
import Positioning

/// Brings fixes from gpsd to the engine and to whoever listens to locations.
///
/// When the configuration of the receiver changes, it begins again with the new one.
struct PositionService: Service {
  let name = "position"
  let monitoring: Monitoring
  let broadcast: LocationBroadcast
  let diagnostics: ReceiverDiagnostics
  let configuration: ConfigurationStore
  let clock: DaemonClock

  func run() async throws {
    while !Task.isCancelled {
      let version = configuration.version.latest
      let current = configuration.current
      let source = GPSDSource(current.gpsd, clock: clock.sleeping)
      let updates = LocationUpdates(
        source, parameters: current.positioning, diagnostics: diagnostics)
      await withTaskGroup { group in
        group.addTask { await follow(updates) }
        group.addTask { await waitForOtherReceiver(than: current, since: version) }
        await group.next()
        group.cancelAll()
      }
    }
  }

  /// The engine waits for the disk, and this loop for the engine: nothing piles up in between.
  private func follow(_ updates: LocationUpdates<GPSDSource>) async {
    for await update in updates {
      if let location = update.location { await monitoring.process(location) }
      broadcast.send(update)
    }
  }

  private func waitForOtherReceiver(than used: Configuration, since version: Int64) async {
    var version = version
    while (try? await configuration.version.wait(after: version)) != nil {
      version = configuration.version.latest
      let current = configuration.current
      if current.gpsd != used.gpsd || current.positioning != used.positioning { return }
    }
  }
}

extension Configuration {
  /// What it says about gpsd.
  var gpsd: GPSDSettings {
    var settings = GPSDSettings()
    settings.host = receiver.host
    settings.port = receiver.port
    settings.device = receiver.device.isEmpty ? nil : receiver.device
    settings.silence = receiver.silence
    settings.shortestDelay = receiver.reconnectMinimum
    settings.longestDelay = receiver.reconnectMaximum
    return settings
  }
}
