import LinuxSystem

/// Says when a motion sensor noticed that the device is moved, so that a pause can end at once.
///
/// It has a thread of its own, because a driver may take its time to answer.
actor MotionHints {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// The shortest time between two hints, in case a sensor is never still.
  static let shortestInterval = Duration.seconds(10)

  /// How long it waits to try again with a sensor that can't be used.
  static let retryInterval = Duration.seconds(60)

  private let executor = SerialQueueExecutor(label: "geofenced.motion")
  private let settings: @Sendable () -> Configuration.Receiver
  private let sysfsRoot: String
  private let deviceRoot: String
  private let clock: DaemonClock
  private var lastHint: Duration?
  /// Why the last wait failed.
  private var failure: MotionSensorError?

  /// - Parameters:
  ///   - settings: Returns the settings in force. A change counts from the next pause on.
  ///   - sysfsRoot: Where sysfs is mounted.
  ///   - deviceRoot: Where the files of devices are.
  init(
    settings: @escaping @Sendable () -> Configuration.Receiver, sysfsRoot: String = "/sys",
    deviceRoot: String = "/dev", clock: DaemonClock
  ) {
    self.settings = settings
    self.sysfsRoot = sysfsRoot
    self.deviceRoot = deviceRoot
    self.clock = clock
  }

  /// The sensor, or why it can't be used, for the status; nil when there is none.
  var description: String? {
    guard settings().usesMotionSensor else { return "turned off" }
    do {
      guard let sensor = try find() else { return nil }
      return failure.map { "\(sensor), \($0)" } ?? sensor.description
    } catch {
      return "found, \(error)"
    }
  }

  /// Returns when motion was sensed, or the task is cancelled.
  ///
  /// Without a sensor that can be used it waits for the cancellation.
  func waitForMotion() async {
    do {
      while true {
        do {
          guard settings().usesMotionSensor, let sensor = try find() else {
            failure = nil
            return await waitForCancellation()
          }
          // A failure is told until the sensor works again.
          try await sensor.waitForMotion(clock: clock.sleeping)
          failure = nil
          // Waited for after the motion, not before it: the sensor reports it only once, to those who listen.
          if let lastHint {
            let left = lastHint + Self.shortestInterval - clock.uptime()
            if left > .zero { try await clock.sleeping.sleep(for: left) }
          }
          lastHint = clock.uptime()
          return
        } catch let error as MotionSensorError {
          failure = error
        }
        try await clock.sleeping.sleep(for: Self.retryInterval)
      }
    } catch {
      // Cancelled: the pause ended for another reason.
    }
  }

  private func find() throws(MotionSensorError) -> MotionSensor? {
    try MotionSensor.find(root: sysfsRoot, deviceRoot: deviceRoot)
  }

  private func waitForCancellation() async {
    try? await SequenceSignal(latest: 0).wait(after: 0)
  }
}
