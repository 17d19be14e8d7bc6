import ControlInterface
import Geofencing
import Testing

@testable import GeofenceCommands

/// What `geofenced ctl status` says of a receiver.
struct StatusTextTests {
  @Test(
    arguments: [
      (9.9, nil), (-9.9, nil), (3600.4, "1 h 0 min ahead; events bear its time"),
      (-90, "1 min 30 s behind; events bear its time"),
      (1e300, "106751 d 23 h ahead; events bear its time"),
    ] as [(Double, String?)])
  func `a clock that differs from the receiver's is told`(offset: Double, text: String?) {
    let line = StatusCommand.text(
      .sample {
        $0.lastFix = .sample
        $0.clockOffset = offset
      }, in: .utc
    ).split(separator: "\n").first { $0.hasPrefix("Clock:") }
    #expect(
      line.map { $0.split(separator: " ").joined(separator: " ") }
        == text.map { "Clock: the receiver's clock is \($0)" })
  }

  @Test(
    arguments: [
      (1, 0, "impossibleSpeed", nil),
      (
        23, 22, "impossibleSpeed",
        "for 22 s positions 39.0 km from the last fix have been refused (impossibleSpeed); where "
          + "they agree, they are believed after 30 s (JumpSec=)"
      ),
      (
        92, 91, "impossibleSpeed",
        "for 1 min 31 s positions 39.0 km from the last fix have been refused (impossibleSpeed); "
          + "they contradict each other, or are faster than MaximumSpeed="
      ),
      (
        2, 1e300, "notNewer",
        "for 106751 d 23 h positions 39.0 km from the last fix have been refused (notNewer); where they "
          + "agree, they are believed after 30 s"
      ),
      (
        2, 3, "contradictsMotion",
        "for 3 s positions 39.0 km from the last fix have been refused (contradictsMotion); where they "
          + "agree, they are believed after at most 30 s (JumpSec=)"
      ),
      (
        92, 91, "contradictsMotion",
        "for 1 min 31 s positions 39.0 km from the last fix have been refused (contradictsMotion); "
          + "they contradict each other"
      ),
    ] as [(Int, Double, String, String?)])
  func `positions that are refused at present are told`(
    positions: Int, seconds: Double, reason: String, text: String?
  ) {
    let line = StatusCommand.text(
      .sample {
        $0.doubt = Status.Doubt(
          reason: reason, positions: positions, seconds: seconds, distance: 39_000,
          believedAfter: 30)
      }, in: .utc
    ).split(separator: "\n").first { $0.hasPrefix("Doubt:") }
    #expect(line.map { $0.dropFirst(6).drop { $0 == " " }.description } == text)
  }

  @Test func `an accuracy of centimetres and what it isn't enough for are told`() {
    var reply = Status.Reply.sample {
      $0.lastFix = .sample
      $0.lastFix?.horizontalAccuracy = 0.02
    }
    reply.accuracyLimited = 2
    let text = StatusCommand.text(reply, in: .utc)
    #expect(text.contains("0.3 s ago, accuracy ±2 cm\n"))
    #expect(text.contains(", 2 too small for the present accuracy or MinimumSigma=\n"))
  }

  @Test func `the one of several receivers that is followed is told`() {
    func devices(_ names: [String], followed: String?) -> String? {
      StatusCommand.text(
        .sample {
          $0.devices = names
          $0.lastFix = .sample
          $0.lastFix?.device = followed
        }, in: .utc
      ).split(separator: "\n").first { $0.hasPrefix("Devices:") }.map {
        $0.dropFirst(8).drop { $0 == " " }.description
      }
    }
    #expect(devices(["/dev/a"], followed: "/dev/a") == "/dev/a")
    #expect(devices(["/dev/a", "/dev/b"], followed: nil) == "/dev/a, /dev/b")
    #expect(
      devices(["/dev/a", "/dev/b"], followed: "/dev/b")
        == "/dev/a, /dev/b, of which /dev/b is followed")
  }

  @Test func `a single event is no plural`() {
    var reply = Status.Reply.sample()
    func line() -> String? {
      StatusCommand.text(reply, in: .utc).split(separator: "\n").first { $0.hasPrefix("Storage:") }
        .map { String($0.drop { $0 != "/" }) }
    }
    reply.lastSequence = 1
    #expect(line() == "/state/geofenced.db, 1 event so far")
    reply.lastSequence = 2
    #expect(line() == "/state/geofenced.db, 2 events so far")
    reply.storage.first = 2
    reply.storage.oldest = Timestamp(nanoseconds: 0)
    #expect(
      line()
        == "/state/geofenced.db, 2 events so far, kept from #2 on, of 1970-01-01T00:00:00.000Z")
    (reply.storage.first, reply.storage.oldest) = (3, nil)
    #expect(line() == "/state/geofenced.db, 2 events so far, none kept")
    reply.storage.failure = "full"
    reply.storage.pending = 1
    #expect(line() == "/state/geofenced.db FAILS: full; 1 event waits in memory")
    reply.storage.lost = 15
    #expect(
      line() == "/state/geofenced.db FAILS: full; 1 event waits in memory, 15 lost since the start")
    reply.storage.failure = nil
    #expect(
      line() == "/state/geofenced.db, 2 events so far, none kept, 15 lost since the start")
  }

  @Test func `others' events aren't said not to be there`() {
    var reply = Status.Reply.sample()
    func line() -> Substring? {
      StatusCommand.text(reply, in: .utc).split(separator: "\n").first {
        $0.hasPrefix("Last event:")
      }
    }
    (reply.lastSequence, reply.storage.first) = (77, 78)
    #expect(line()?.hasSuffix(" none in the log") == true)
    reply.storage.first = 1
    #expect(line()?.hasSuffix(" none that you may see") == true)
  }

  @Test func `a consumer that takes nothing, and what gpsd said amiss, is told`() {
    var reply = Status.Reply.sample {
      ($0.connections, $0.failedConnections) = (5, 4)
      ($0.undecodableLines, $0.tooLongLines) = (2, 1)
    }
    reply.consumers = [.init(name: "journal", cursor: 1, waiting: 2)]
    reply.consumers[0].failure = "it has taken nothing for 5 s"
    let lines = StatusCommand.text(reply, in: .utc).split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(lines.contains("Connections: 5, failed 4"))
    #expect(lines.contains("Bad lines: 2 undecodable, 1 too long"))
    #expect(
      lines.contains("Consumer: journal, 2 events behind; failing: it has taken nothing for 5 s"))
  }

  @Test func `a unit that couldn't be started is told with its monitor`() {
    var (failing, fine) = (
      MonitorSummary(MonitorKey(user: 1000, name: "trip")),
      MonitorSummary(MonitorKey(user: 0, name: "default"))
    )
    (failing.launchUnit, fine.launchUnit) = ("guide.service", "fine.service")
    failing.launchFailure = "guide.service: there is no such unit"
    let units = StatusCommand.text(.sample(), [failing, fine], in: .utc)
      .split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      .filter { $0.hasPrefix("Unit:") }
    #expect(units == ["Unit: of monitor trip of user 1000: guide.service: there is no such unit"])
  }

  @Test func `a receiver that says nothing of itself is told in few lines`() {
    let lines = StatusCommand.text(.sample(), in: .utc).split(separator: "\n").map {
      $0.split(separator: ":", maxSplits: 1).first ?? ""
    }
    #expect(
      lines == [
        "Receiver", "Devices", "Rest", "Fix", "Last fix", "Fixes accepted", "Fixes rejected",
        "Motion sensor", "Conditions", "Last event", "Storage", "Version",
      ])
  }
}
