import Geofencing

extension EngineMeasurement {
  /// The numbers of positions over which the answers are summed for the check.
  private static let checked = (fixes: 2000, devices: 1000)

  /// Plain containment, with an event for each circle that is entered or left.
  func measureContainment(_ done: (Result) throws -> Void) throws {
    var result = Result("geofenced-events", version: "geofenced")
    let before = Self.memory
    let began = Stopwatch.now
    var monitor = ContainmentMonitor()
    for index in circles.indices { monitor.insert(circles[index], at: UInt32(index)) }
    result.build = Stopwatch.now - began
    result.memory = Self.memory - before

    var containing = Containing()
    (result.firstTrack, result.track) = Stopwatch.measure { isOver in
      defer { containing.isFirstPass = false }
      return Self.pass(track, &monitor, &containing, checked: Self.checked.fixes, isOver)
    }
    result.trackTotal = containing.total
    result.events = containing.events
    // The end of the track tells nothing about what contains the first device.
    containing.isFirstPass = true
    containing.total = 0
    (result.firstDevices, result.devices) = Stopwatch.measure { isOver in
      defer { containing.isFirstPass = false }
      return Self.pass(devices, &monitor, &containing, checked: Self.checked.devices, isOver)
    }
    result.deviceTotal = containing.total
    try done(result)
  }

  /// The counts of a first pass.
  private struct Containing {
    var isFirstPass = true
    /// How many circles contain the position, and the sum of that for the positions to check.
    var now = 0
    var total = 0
    var events = 0
  }

  private static func pass(
    _ positions: [Coordinate], _ monitor: inout ContainmentMonitor, _ containing: inout Containing,
    checked: Int, _ isOver: () -> Bool
  ) -> Int {
    var now = containing.now
    var events = 0
    defer { containing.now = now }
    for index in positions.indices {
      monitor.update(to: positions[index]) { _, isInside in
        now += isInside ? 1 : -1
        events += 1
      }
      if containing.isFirstPass, index < checked { containing.total += now }
      // A pass covers at least the positions to check, and the first one all of the track.
      if index % 256 == 255, !containing.isFirstPass, isOver() { return index + 1 }
    }
    if containing.isFirstPass { containing.events = events }
    return positions.count
  }
}
