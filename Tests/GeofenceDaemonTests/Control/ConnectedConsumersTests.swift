import Geofencing
import MonitorStorage
import Testing

@testable import GeofenceDaemon

/// Who reads as which named consumer.
struct ConnectedConsumersTests {
  private let connected = ConnectedConsumers()

  private func key(_ monitor: String?) -> ConsumerKey {
    ConsumerKey(owner: 1000, monitor: monitor, name: "app")
  }

  @Test(arguments: ["trip", nil])
  func `another user's reader reads nothing of a monitor of that name`(monitor: String?) throws {
    _ = try connected.hold(key(monitor))
    for user in UInt32(1000)...1001 {
      let read = MonitorKey(user: user, name: "trip")
      #expect(connected.isConnected(to: read, includingAll: true) == (user == 1000))
    }
  }

  @Test func `who was removed and leaves late doesn't take the next with it`() throws {
    let old = try connected.hold(key("trip"))
    connected.remove(key("trip"), from: old)
    #expect(connected.acknowledged(key("trip"), by: old) == nil)
    let new = try connected.hold(key("trip"))
    connected.release(old, of: key("trip"))
    #expect(connected.isConnected(key("trip")))
    connected.release(new, of: key("trip"))
    #expect(!connected.isConnected(key("trip")))
  }

  @Test func `who reads as one that was made since goes on`() throws {
    let new = try connected.hold(key("trip"))
    connected.remove(key("trip"), from: nil)
    #expect(connected.acknowledged(key("trip"), by: new) == 0)
    let other = try ConnectedConsumers().hold(key("trip"))
    connected.remove(key("trip"), from: other)
    #expect(connected.acknowledged(key("trip"), by: new) == 0)
  }

  @Test func `of two acknowledgements at once the later counts, whichever comes first`() throws {
    for sequence in [Int64(7), 5] { connected.note(sequence, of: key("trip")) }
    var written: [ConsumerKey: Int64] = [:]
    connected.writePending { written = $0 }
    #expect(written == [key("trip"): 7])
  }

  @Test func `what a consumer acknowledged that was removed isn't written`() throws {
    connected.note(7, of: key("trip"))
    connected.remove(key("trip"), from: nil)
    connected.writePending { _ in Issue.record("something was left to write") }
  }

  @Test func `a place that is acknowledged late takes nothing back`() throws {
    let key = key(nil)
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
