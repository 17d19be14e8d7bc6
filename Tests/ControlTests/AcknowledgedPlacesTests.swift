import Geofencing
import MonitorStorage
import Testing

@testable import GeofenceDaemon

/// How far those that are connected have acknowledged.
@Suite struct AcknowledgedPlacesTests {
  @Test func `a place that is acknowledged late takes nothing back`() throws {
    let connected = ConnectedConsumers()
    let key = ConsumerKey(owner: 1000, monitor: nil, name: "reader")
    let holder = try connected.hold(key)
    var written: [Int64?] = []
    for sequence: Int64 in [5, 3, 7] {
      connected.note(sequence, of: key)
      connected.writePending { written.append($0[key]) }
    }
    #expect(written == [5, 3, 7])
    #expect(connected.acknowledged(key, by: holder) == 7)
    connected.note(6, of: key)
    connected.writePending { _ in }
    #expect(connected.acknowledged(key, by: holder) == 7)
  }
}
