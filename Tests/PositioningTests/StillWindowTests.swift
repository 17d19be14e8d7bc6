import Geofencing
import Testing

@testable import Positioning

struct StillWindowTests {
  @Test(arguments: [50.0, 118])
  func `a time that isn't later than the last begins the window anew`(back: Double) throws {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    func fix(_ second: Double) -> Location { Location(timestamp: at(second), coordinate: place) }
    func rest(_ window: inout StillWindow, _ seconds: Range<Int>) -> Timestamp? {
      for second in seconds {
        if let rest = window.add(fix(Double(second))) { return rest.since }
      }
      return nil
    }
    var window = StillWindow(StationaryParameters())
    #expect(rest(&window, 0..<120) == nil)
    var other = window
    #expect(rest(&other, 120..<121) == at(0))
    // Two seconds lie between those that are kept: that is the last of them, or one before it.
    #expect(window.add(fix(back)) == nil)
    #expect(rest(&window, 120..<240) == nil)
    #expect(rest(&window, 240..<241) == at(120))
  }
}
