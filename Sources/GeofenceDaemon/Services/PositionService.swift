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
      await configuration.whileEqual(
        Needs.init,
        run: { current in
          let source = GPSDSource(current.gpsd, clock: clock.sleeping)
          diagnostics.follow(source)
          await follow(
            LocationUpdates(
              source, parameters: current.positioning, diagnostics: diagnostics,
              after: await monitoring.lastFix))
        })
    }
  }

  /// The part of the configuration that matters here.
  private struct Needs: Equatable, Sendable {
    let gpsd: GPSDSettings
    let positioning: PositioningParameters

    init(_ configuration: Configuration) {
      gpsd = configuration.gpsd
      positioning = configuration.positioning
    }
  }

  /// The engine waits for the disk, and this loop for the engine: nothing piles up in between.
  private func follow(_ updates: LocationUpdates<GPSDSource>) async {
    for await update in updates {
      if !update.rejections.isEmpty { await monitoring.note(update.rejections) }
      if let location = update.location { await monitoring.process(location) }
      broadcast.send(update)
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
