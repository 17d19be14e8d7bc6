import Geofencing
import TestSupport
import Testing

@testable import GeofenceDaemon

/// After which fix a receiver is read.
struct PositionServiceTests {
  @Test(
    arguments: [
      ("/dev/a", nil, "/dev/a"), ("/dev/a", "/dev/a", "/dev/a"), ("/dev/a", "/dev/b", nil),
      (nil, "/dev/b", nil), (nil, nil, nil),
    ] as [(String?, String?, String?)])
  func `another receiver that was named doesn't wait for the one of before`(
    before: String?, named: String?, expected: String?
  ) throws {
    var fix = Location(
      timestamp: at(1), coordinate: try Coordinate(validLatitude: 48.2, longitude: 16.3))
    fix.device = before
    let after = try #require(PositionService.lastFix(fix, for: named))
    #expect(after.device == expected)
    #expect(after.timestamp == fix.timestamp && after.coordinate == fix.coordinate)
    #expect(PositionService.lastFix(nil, for: named) == nil)
  }
}
