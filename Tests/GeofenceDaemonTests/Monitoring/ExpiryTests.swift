import Geofencing
import TestSupport
import Testing

@testable import GeofenceDaemon

/// Conditions, and states of them, whose time is over, one after the other.
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

  @Test func `nobody looks away for long while a condition is to end, or a refusal to be stored`()
    async throws
  {
    let monitoring = try machine.start { $0.decision = DecisionParameters() }
    func isQuiet() async -> Bool { await monitoring.isQuiet(for: .seconds(60)) }
    _ = try await monitoring.add(circle(), identifier: "home", to: own, assuming: .unknown)
    try await drive(monitoring, String(repeating: "i", count: 30), from: 0)
    await monitoring.checkpoint()
    #expect(await isQuiet())
    try await drive(monitoring, "oo", from: 30)
    #expect(await monitoring.refusals == 2)
    #expect(await !isQuiet())
    await monitoring.checkpoint()
    #expect(await isQuiet())
    _ = try await monitoring.add(
      circle(expires: at(9000)), identifier: "brief", to: own, assuming: .unknown)
    #expect(await !isQuiet())
  }

  @Test func `what is assumed after a restart is believed for as long as what a fix has told`()
    async throws
  {
    let first = try await watching(as: "old", assuming: .satisfied)
    try await drive(first, "ii", from: 0)
    await first.finish()
    let second = try machine.start()
    machine.wait(.seconds(300))
    _ = try await second.add(circle(200), identifier: "new", to: own, assuming: .satisfied)
    var expected: [String] = []
    for (pause, end) in [(400, "1 old undetermined 601"), (250, "2 new undetermined 901")] {
      machine.wait(.seconds(pause))
      await second.tick()
      expected.append(end)
      #expect(short(try await machine.events()) == expected)
    }
  }

  /// Fixes may have waited because the daemon was stopped, or its machine frozen.
  @Test func `no silence is told that late fixes fill, though a time is over`() async throws {
    let monitoring = try await watching(assuming: .unknown)
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
