import ControlInterface
import Geofencing
import SQLite
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What is stored of conditions whose removal failed.
@Suite(.timeLimit(.minutes(10))) struct PutBackTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  /// By chance each of ten may be where it was.
  @Test(arguments: 0..<3) func `an exit that comes to nothing afterwards isn't stored`(
    attempt: Int
  ) async throws {
    let monitoring = try await watching(as: "a", assuming: .satisfied)
    for number in 0..<9 {
      _ = try await monitoring.add(
        circle(latitude: 48), identifier: "b\(number)", to: own, assuming: .unsatisfied)
    }
    let database = try Connection(path: machine.directory + "/geofenced.db")
    /// How many have something happening to them, as it is stored.
    func happening() throws -> Int64? {
      try database.query("SELECT count(*) FROM condition WHERE progress IS NOT NULL").first?.first?
        .integer
    }
    try await drive(monitoring, "iio", from: 0)
    await monitoring.checkpoint()
    #expect(try happening() == 1)
    let broken = try machine.breakTable("condition", on: "DELETE")
    await #expect(throws: ControlError.self) {
      try await monitoring.apply(StagedChange(of: own, adding: [], removing: []), sync: true)
    }
    try broken.mend()
    await monitoring.tick()
    try await drive(monitoring, "i", from: 3)
    await monitoring.checkpoint()
    #expect(try happening() == 0)
  }
}
