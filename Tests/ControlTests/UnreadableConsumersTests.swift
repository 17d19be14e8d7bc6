import ControlInterface
import MonitorStorage
import SQLite
import Testing

@testable import GeofenceDaemon

@Suite(.timeLimit(.minutes(10))) struct UnreadableConsumersTests {
  @Test func `an acknowledgement is refused while none can be read, and isn't stored later`()
    async throws
  {
    let machine = try MonitoringMachine()
    let served = try ConsumersServed(on: machine)
    let (monitoring, connected) = (served.monitoring, served.methods.connected)
    let keys = ["reader", "other"].map {
      ConsumerKey(owner: ConsumersServed.user, monitor: "default", name: $0)
    }
    for key in keys {
      _ = try await monitoring.consumer(
        key, reading: .init(user: key.owner, monitor: "default"), since: nil)
    }
    try await monitoring.append(5)
    let connection = try Connection(path: machine.directory + "/geofenced.db")
    try connection.execute("ALTER TABLE consumer RENAME TO away")
    connected.note(4, of: keys[0])
    let refusal = await #expect(throws: ControlError.self) {
      try await monitoring.acknowledge(4, by: keys[0], connected)
    }
    #expect(refusal?.name == .persistenceUnavailable)
    #expect(refusal?.description.hasPrefix("nothing was acknowledged, reading failed: ") == true)
    try connection.execute("ALTER TABLE away RENAME TO consumer")
    try await monitoring.acknowledge(1, by: keys[1], connected)
    let places = try await monitoring.consumers(of: nil)
    #expect(keys.map { key in places.first { $0.key == key }?.cursor } == [0, 1])
  }
}
