import BenchmarkSupport

/// Measures imports, and starts after a kill, of a daemon with many conditions.
///
/// It also checks whether the daemon then decides in the same way as one that went on.
struct StartMeasurement {
  let conditions: Int

  /// How often the daemon is killed and started again.
  let starts: Int

  /// Whether its decisions are compared, too.
  let isCompared: Bool

  /// The folder for the states.
  let folder: String

  /// The speed in metres per second; a faster start within one second wouldn't be believed at once.
  private static let speed = 15.0

  /// The seconds of the journey before the first kill, driving and then standing still: by then all that had begun is
  /// confirmed.
  private static let before = (driving: 60, standing: 240)

  /// The number of seconds that are compared.
  private static let compared = 120

  /// The smallest number of events in them for a meaningful comparison.
  private static let fewestEvents = 20

  /// The seconds of the journey between a start and the next kill.
  private static let between = 10

  /// Measures, and adds the results.
  func play(_ results: inout LatencyResults) async throws {
    let daemon = try StartedDaemon(in: folder)
    do {
      try await play(daemon, &results)
    } catch {
      await daemon.remove()
      throw error
    }
    await daemon.remove()
  }

  private func play(_ daemon: StartedDaemon, _ results: inout LatencyResults) async throws {
    _ = try await daemon.start()
    results.imports.add(try await daemon.importPlaces(conditions), of: conditions)
    try daemon.meet()
    var journey = Journey()
    try await daemon.drive(journey.fixes(Self.before.driving, speed: Self.speed))
    try await daemon.drive(journey.fixes(Self.before.standing, speed: 0))
    if isCompared {
      let other = try StartedDaemon(in: folder)
      do {
        results.comparison = try await compare(daemon, with: other, &journey)
      } catch {
        await other.remove()
        throw error
      }
      await other.remove()
    }
    for _ in 0..<starts {
      try await daemon.drive(journey.fixes(Self.between, speed: Self.speed))
      await daemon.kill()
      results.starts.add(try await daemon.start(), of: conditions)
      try daemon.meet()
    }
  }

  /// Lets a daemon go on, and starts another one with the state that the first would have left if it had been killed.
  private func compare(
    _ daemon: StartedDaemon, with other: StartedDaemon, _ journey: inout Journey
  ) async throws -> DecisionComparison {
    // Send one more fix, to have something to wait for.
    let last = journey.fixes(1, speed: 0)
    try await daemon.drive(last)
    for fix in last { try await daemon.waitUntilStored(fix) }
    let sequence = try await daemon.lastSequence()
    try await daemon.copyState(to: other)
    _ = try await other.start()
    try other.meet()
    let fixes = journey.fixes(Self.compared, speed: Self.speed)
    for fix in fixes {
      try await daemon.drive([fix])
      try await other.drive([fix])
    }
    for one in [daemon, other] {
      if let fix = fixes.last { try await one.waitUntilStored(fix) }
    }
    let comparison = DecisionComparison(
      conditions: conditions, of: try await daemon.transitions(after: sequence),
      with: try await other.transitions(after: sequence))
    guard comparison.events > Self.fewestEvents else {
      throw BenchmarkFailure(
        "a drive caused \(comparison.events) events, too few to be compared")
    }
    return comparison
  }
}
