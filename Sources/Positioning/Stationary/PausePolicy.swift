/// What ``LocationUpdates`` needs in order to pause.
package struct PausePolicy: Sendable {
  /// When to pause, and how.
  package var parameters = PauseParameters()

  /// When the receiver is at rest.
  package var stationary = StationaryParameters()

  /// What the time between two looks is slept on.
  package var clock: any Clock<Duration> = ContinuousClock()

  /// How long without any report is silence, in looks one after the other.
  package var silence = Duration.seconds(10)

  /// The time since some moment, for ``RestStatus``.
  package var uptime: @Sendable () -> Duration

  /// Whether the receiver may be released now; else a pause only silences the updates.
  package var mayRelease: @Sendable () -> Bool = { true }

  /// Returns when a receiver that was released has to be used again, or the task is cancelled; nil where that
  /// never happens.
  package var untilNeeded: (@Sendable () async -> Void)?

  /// Returns when somebody wants a look at once, or the task is cancelled.
  package var untilWanted: (@Sendable () async -> Void)?

  /// Returns when a sensor felt motion, or the task is cancelled; nil without a sensor.
  package var motion: (@Sendable () async -> Void)?

  /// Called when a look at a released receiver begins, before its first fix.
  package var lookBegins: @Sendable () -> Void = {}

  /// Whether a look that found nothing may end: others who are given its fixes have seen enough, and
  /// nothing is being confirmed.
  package var lookMayEnd: @Sendable () async -> Bool = { true }

  /// Whether something is being confirmed, for which a receiver is used on although it is at rest.
  package var isConfirming: @Sendable () async -> Bool = { false }

  /// A policy without a sensor, that may always release the receiver.
  package init() {
    let start = ContinuousClock.now
    uptime = { start.duration(to: .now) }
  }

  /// Why a receiver is in use in a pause; nil where it is let go as soon as its fixes say that the pause goes on.
  var obstacleToRelease: RestObstacle? {
    parameters.mode == .receiver ? mayRelease() ? nil : .needed : .mode(parameters.mode)
  }

  /// Why a wait is over.
  enum Wake: Sendable {
    case time
    case motion
    case needed
  }

  /// Waits until the receiver should be looked at, or the task is cancelled.
  ///
  /// - Parameter settling: how long a hint of the sensor isn't acted on.
  func wait(settling: Duration) async -> Wake {
    await withTaskGroup(of: Wake.self) { group in
      group.addTask {
        await sleep(parameters.probeInterval)
        return .time
      }
      for case (let wait?, let wake) in [(untilNeeded, Wake.needed), (untilWanted, .time)] {
        group.addTask {
          await wait()
          return wake
        }
      }
      if let motion {
        group.addTask {
          // Heard of at once, though it may be acted on later: a sensor tells only once.
          async let settled: Void = sleep(settling)
          await motion()
          await settled
          return .motion
        }
      }
      let first = await group.next() ?? .time
      group.cancelAll()
      return first
    }
  }

  /// Sleeps, unless the task is cancelled.
  func sleep(_ duration: Duration) async {
    if duration > .zero { try? await clock.sleep(for: duration) }
  }
}
