import ControlInterface
import Geofencing
import TestSupport
import Testing

@testable import GeofenceCommands
@testable import GeofenceDaemon

/// Why nothing is heard of a condition although its state has changed, or it is no more.
extension ExplainTests {
  @Test func `a condition that isn't watched any more is said to have ended`() async throws {
    let monitoring = try machine.start()
    for (name, condition) in try [("home", circle()), ("brief", circle(expires: at(1002)))] {
      _ = try await monitoring.add(condition, identifier: name, to: mine, assuming: .unsatisfied)
    }
    _ = try await monitoring.remove(ConditionKey(monitor: mine, identifier: "home"))
    await play("ooo", from: 1000, to: monitoring)
    await monitoring.tick()
    let dates = try await machine.events().map(\.transition.date.rfc3339)
    try #require(dates.count == 2)
    for (name, end) in [
      ("home", "#1, unmonitored (removed), of \(dates[0])"),
      ("brief", "#2, unmonitored (expired), of \(dates[1])"),
    ] {
      let told = try await refusal(Explain.Parameters(ConditionName(identifier: name)), monitoring)
      #expect(
        told
          == "io.geofenced.NoSuchCondition: condition '\(name)' in monitor 'default' isn't watched any "
          + "more; its last event is \(end)")
    }
  }

  @Test func `an event that can't be stored is told of`() async throws {
    let monitoring = try machine.start()
    for (name, radius) in [("home", 100.0), ("wide", 5_000)] {
      _ = try await monitoring.add(
        circle(radius), identifier: name, to: mine, assuming: .satisfied)
    }
    let broken = try machine.breakTable("event")
    await play("iiooooooo", from: 0, to: monitoring)
    let reply = try await explain("home", monitoring)
    #expect(reply.record?.state == .unsatisfied && reply.event == nil)
    #expect(reply.storageFailure?.contains("no room left") == true)
    let text = ExplainCommand.text(of: reply, in: .utc)
    let start = "  An event of it waits to be stored: "
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(start) })
    #expect(line.contains("no room left"))
    #expect(try await explain("wide", monitoring).storageFailure == nil)
    try broken.mend()
    await monitoring.tick()
    #expect(try await explain("home", monitoring).storageFailure == nil)
  }
}
