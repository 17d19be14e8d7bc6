import ControlInterface
import Geofencing
import LinuxSystem
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What is written, and told, of fixes that were refused.
@Suite struct RefusedFixesStorageTests: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  @Test func `a refusal is written once, at its beginning and with the next checkpoint`()
    async throws
  {
    let monitoring = try await watching(assuming: .unknown)
    try await drive(monitoring, "iii", from: 0)
    await monitoring.checkpoint()
    var writes = [monitoring.revisions.latest]
    func note() { writes.append(monitoring.revisions.latest) }
    await monitoring.checkpoint()
    note()
    #expect(writes[1] == writes[0])
    await monitoring.noteRefusal(true)
    note()
    #expect(writes[2] > writes[1])
    await monitoring.noteRefusal(true)
    note()
    #expect(writes[3] == writes[2])
    await monitoring.checkpoint()
    note()
    #expect(writes[4] > writes[3])
    await monitoring.checkpoint()
    note()
    #expect(writes[5] == writes[4])
  }

  @Test func `fixes that are refused are told of until one is believed`() async throws {
    let monitoring = try await watching(assuming: .unknown) { $0.decision = DecisionParameters() }
    try await drive(monitoring, String(repeating: "i", count: 20), from: 0)
    #expect(await monitoring.summary(ofUser: nil).doubt == nil)
    try await drive(monitoring, "ooo", from: 20)
    let doubt = try #require(await monitoring.summary(ofUser: nil).doubt)
    #expect(doubt.reason == "contradictsMotion" && doubt.positions == 3 && doubt.seconds == 2)
    #expect(abs(doubt.distance - 1_112) < 1 && doubt.believedAfter == 30)
    // When nothing has come for so long, any fix is believed.
    machine.wait(.seconds(600))
    #expect(await monitoring.summary(ofUser: nil).doubt == nil)
    try await drive(monitoring, "o", from: 23)
    #expect(await monitoring.summary(ofUser: nil).doubt?.positions == 4)
    try await drive(monitoring, "i", from: 24)
    #expect(await monitoring.summary(ofUser: nil).doubt == nil)
  }
}
