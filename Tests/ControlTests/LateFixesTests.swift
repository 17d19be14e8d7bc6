import Geofencing
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What becomes of fixes that waited because the daemon was stopped, or its machine frozen.
struct LateFixesTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  @Test func `no silence is told that they fill, though a condition's time is over`() async throws {
    let monitoring = try machine.start()
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unknown)
    _ = try await monitoring.add(
      circle(expires: at(1650)), identifier: "brief", to: own, assuming: .unknown)
    try await drive(monitoring, "iiiii", from: 0)
    machine.wait(.seconds(700))
    for second in 5..<705 { await monitoring.process(try fix(Double(second), inside: true)) }
    #expect(
      short(try await machine.events()) == [
        "1 brief determined 0", "2 home determined 0", "3 brief unmonitored 650",
      ])
  }
}
