import Geofencing
import LinuxSystem
import Positioning

/// Brings fixes from gpsd to the engine and to whoever listens to locations, while somebody needs them.
///
/// When the configuration of the receiver changes, it begins again with the new one.
struct PositionService: Service {
  let name = "position"
  let monitoring: Monitoring
  let broadcast: LocationBroadcast
  let diagnostics: ReceiverDiagnostics
  let configuration: ConfigurationStore
  let need: ReceiverNeed
  /// Returns when a sensor felt motion, or the task is cancelled.
  let motion: @Sendable () async -> Void
  let tap: RawLineTap
  let clock: DaemonClock

  func run() async throws {
    while (try? await need.wait { $0.isNeeded }) != nil, !Task.isCancelled {
      await waitForFirst({ await watch() }, { try? await need.wait { !$0.isNeeded } })
      diagnostics.setWatched(false)
      broadcast.forget()
    }
    // No more fixes are judged. Stored now, in case another service hangs when it is stopped.
    await monitoring.checkpoint()
  }

  /// Watches the receiver until the task is cancelled.
  private func watch() async {
    while !Task.isCancelled {
      await configuration.whileEqual(
        Needs.init,
        run: { current in
          diagnostics.setWatched(true, at: clock.uptime())
          let source = GPSDSource(
            current.receiver.gpsd, clock: clock.sleeping, tap: tap, poller: monitoring.loop.poller,
            counters: diagnostics.gpsd)
          broadcast.begin(pausing: current.pause)
          let lastFix = await monitoring.lastFix
          let updates = LocationUpdates(
            source, parameters: current.positioning, diagnostics: diagnostics,
            after: Self.lastFix(lastFix, for: current.receiver.gpsd.device),
            pausing: policy(current),
            everyUpdate: { update in
              if update.location != nil { need.noteLook() }
              return await monitoring.judge(update)
            },
            burstEnds: {
              await monitoring.commitJudged()
              // Lets the tasks on this loop that deliver the events go first: what is left to do here can wait.
              await monitoring.loop.poller.yield()
            },
            uptime: clock.uptime,
            afterwards: { broadcast.take($0, isRefused: $1) })
          // Fixes are read on the thread where they are judged: the engine waits for the disk and this loop for the
          // engine, so nothing piles up in between.
          await monitoring.loop.run { for await update in updates { broadcast.send(update) } }
        })
    }
  }

  /// The part of the configuration with which it begins anew.
  private struct Needs: Equatable, Sendable {
    let gpsd: GPSDSettings
    let positioning: PositioningParameters
    let stationary: StationaryParameters
    let pause: PauseParameters

    init(_ configuration: Configuration) {
      gpsd = configuration.receiver.gpsd
      positioning = configuration.positioning
      stationary = configuration.stationary
      pause = configuration.pause
    }
  }

  /// The last fix, after which one receiver is read, or all.
  ///
  /// If that fix is of another receiver than the one that is named, it loses its device, so that the named one is
  /// followed at once.
  static func lastFix(_ fix: Location?, for device: String?) -> Location? {
    guard let device, device != fix?.device else { return fix }
    var fix = fix
    fix?.device = nil
    return fix
  }

  private func policy(_ configuration: Configuration) -> PausePolicy {
    var policy = PausePolicy()
    policy.parameters = configuration.pause
    policy.stationary = configuration.stationary
    policy.clock = clock.sleeping
    policy.uptime = clock.uptime
    policy.silence = configuration.receiver.gpsd.silence
    policy.mayRelease = { [need, broadcast] in
      !need.reasons.keepsReceiver && !broadcast.keepsReceiver
    }
    policy.untilNeeded = { [need, broadcast] in
      await waitForFirst(
        { try? await need.wait { $0.keepsReceiver } },
        { try? await broadcast.waitUntilReceiverIsKept() })
    }
    policy.lookBegins = { [need, broadcast] in
      need.noteLook()
      broadcast.beginLook()
    }
    policy.lookMayEnd = { [broadcast, monitoring] in
      guard broadcast.lookMayEnd else { return false }
      return await !monitoring.isConfirming
    }
    policy.isConfirming = { [monitoring] in await monitoring.isConfirming }
    // Whoever adds a condition wants to know soon whether it is satisfied.
    policy.untilWanted = { [need] in try? await need.wait { $0.hasNew } }
    policy.motion = motion
    return policy
  }
}
