/// A sensor of Linux's industrial I/O that notices when the device is moved.
///
/// It holds names and no descriptor: nothing is enabled or opened except while ``waitForMotion``
/// waits, and afterwards all is as it was.
package struct MotionSensor: Sendable, CustomStringConvertible {
  /// How it notices motion.
  enum Source: Sendable, Hashable {
    /// The device tells of it: the switches to turn on, and the file in `/dev` to listen to.
    case events(MotionEventKind, switches: [SysfsAttribute], device: String)

    /// A count that grows, and the switch that makes it count where there is one.
    case stepCounter(SysfsAttribute, switch: SysfsAttribute?)
  }

  /// How often a step counter is read.
  static let stepInterval = Duration.seconds(2)

  /// The kernel's name of the device, for example `iio:device0`.
  let device: String

  /// What the driver calls it, for example `bmi160`, in printable characters.
  let name: String

  let source: Source

  /// For people: "step counter of bmi160 (iio:device0)".
  package var description: String {
    switch source {
    case .events(let kind, _, _): "\(kind.words) of \(name) (\(device))"
    case .stepCounter: "step counter of \(name) (\(device))"
    }
  }

  /// Returns when motion was sensed.
  ///
  /// Waiting for events costs no processor time; a step counter is read every two seconds. What was
  /// off is turned off again afterwards, also when the wait fails or is cancelled. A device has one
  /// such waiter at a time.
  ///
  /// - Parameter clock: What the pauses between two readings of a step counter are slept on.
  /// - Throws: ``MotionSensorError``, or `CancellationError`.
  package func waitForMotion(clock: any Clock<Duration>) async throws {
    try await waitForMotion(clock: clock) { path throws(MotionSensorError) in
      try MotionEventQueue.open(path)
    }
  }

  func waitForMotion(
    clock: any Clock<Duration>,
    openingWith open: (_ path: String) throws(MotionSensorError) -> MotionEventQueue
  ) async throws {
    var turnedOn: [SysfsAttribute] = []
    defer {
      // A failure leaves the sensor on: it costs some power, and there is nobody to tell.
      for attribute in turnedOn.reversed() { try? attribute.set(false) }
    }
    func turnOn(_ attribute: SysfsAttribute) throws(MotionSensorError) {
      guard try !attribute.isOn() else { return }
      turnedOn.append(attribute)
      try attribute.set(true)
    }
    switch source {
    case .events(let kind, let switches, let device):
      // Opened first, so that nothing that happens once it is enabled is missed.
      let queue = try open(device)
      for attribute in switches { try turnOn(attribute) }
      try await queue.wait(for: kind)
    case .stepCounter(let input, let attribute):
      if let attribute { try turnOn(attribute) }
      var last = try input.count()
      while true {
        try await clock.sleep(for: Self.stepInterval)
        let count = try input.count()
        if count > last { return }
        // A smaller number is a counter that began again, by overflow or because its driver did: if somebody
        // walks, the next reading shows it.
        last = count
      }
    }
  }
}
