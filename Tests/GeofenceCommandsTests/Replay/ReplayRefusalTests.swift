import Foundation
import GeofenceDaemon
import Geofencing
import Positioning
import TestSupport
import Testing

@testable import GeofenceCommands

struct ReplayRefusalTests {
  @Test func `what the rules themselves refuse is left out, and said to be`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/rest.json"
    // At rest, as the receiver says, and 180 m to the north for a while.
    let start = try #require(Timestamp(rfc3339: "2026-05-04T08:00:00Z"))
    let lines = (0..<80).map { second in
      """
      {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\((start + .seconds(second)).rfc3339)",\
      "lat":\((40..<50).contains(second) ? 48.2016 : 48.2),"lon":16.3,"speed":0.0,"eph":5.0}\n
      """
    }
    try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    var fixes: [Location] = []
    var rejections: [RejectedFix] = []
    let result = try await Replay(watching: [], configuration: Configuration()).run(
      Recording(path: path), explains: false,
      updates: { update in
        if let fix = update.location { fixes.append(fix) }
        rejections += update.rejections
      }, events: { _ in })
    #expect(fixes.count == 70)
    #expect(Set(fixes.map(\.coordinate.latitude)) == [48.2])
    #expect(rejections.map(\.reason) == Array(repeating: "contradictsMotion", count: 10))
    #expect(result.rejected == ["contradictsMotion": 10])
    #expect(result.inputSummary == "80 lines, 70 fixes, rejected: contradictsMotion 10")
  }
}
