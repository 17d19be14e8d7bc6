import Geofencing
import Testing

@testable import GeofenceDaemon

/// Conditions whose time is over, one after the other.
struct ExpiryTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  @Test func `each condition ends at its own time`() async throws {
    let monitoring = try machine.start()
    for (name, end) in [("a", 1010.0), ("b", 1020)] {
      _ = try await monitoring.add(
        circle(expires: at(end)), identifier: name, to: own, assuming: .unknown)
    }
    try await drive(monitoring, "iiiii", from: 0)
    var expected = ["1 a determined 0", "2 b determined 0"]
    for end in ["3 a unmonitored 10", "4 b unmonitored 20"] {
      machine.wait(.seconds(10))
      await monitoring.tick()
      expected.append(end)
      #expect(short(try await machine.events()) == expected)
    }
  }
}
