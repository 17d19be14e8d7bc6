import Geofencing
import TestSupport
import Testing

@testable import Positioning

struct StillWindowTests {
  /// Fixes two seconds apart at one spot through a whole window; what is changed of one is given its second.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let obstacle: String?
    let height: Double?
    let change: @Sendable (Double, inout Location) -> Bool

    /// - Parameters:
    ///   - obstacle: what the reason says; nil of rest.
    ///   - change: changes a fix, and says whether there is one.
    init(
      _ name: String, _ obstacle: String?, height: Double? = nil,
      _ change: @escaping @Sendable (Double, inout Location) -> Bool
    ) {
      (testDescription, self.obstacle, self.height, self.change) = (name, obstacle, height, change)
    }
  }

  /// Each that isn't rest is next to one that is just so.
  @Test(arguments: [
    Case("a gap of a third", nil) { second, _ in second <= 40 || second >= 80 },
    Case("a longer one", "more than 40 s apart") { second, _ in second <= 40 || second >= 82 },
    Case("six fixes", nil) { second, _ in second.remainder(dividingBy: 24) == 0 },
    Case("five", "fewer than six fixes") { second, _ in second.remainder(dividingBy: 30) == 0 },
    Case("slow", nil) { second, fix in turning(&fix, speed: 0.5, second) },
    Case("faster", "above 0.6 m/s") { second, fix in turning(&fix, speed: 0.6, second) },
    Case("fast for less than half of the time", nil) { second, fix in
      turning(&fix, speed: second < 58 ? 2 : 0.1, second)
    },
    Case("slow in one direction", "one way at 0.4 m/s") { second, fix in
      (fix.speed, fix.course) = (0.4, 70 + second / 1000)
      return true
    },
    Case("spread", nil) { second, fix in spread(&fix, metres: 25, second) },
    Case("spread farther", "at rest at most 30 m") { second, fix in spread(&fix, metres: 36, second)
    },
    Case("a way", nil) { second, fix in move(&fix, metres: 40, second) },
    Case("a longer way", "at rest at most 30 m") { second, fix in move(&fix, metres: 54, second) },
    Case("a way without speeds", nil) { second, fix in
      fix.speed = nil
      return move(&fix, metres: 30, second)
    },
    Case("a longer way without speeds", "at rest at most 23 m") { second, fix in
      fix.speed = nil
      return move(&fix, metres: 40, second)
    },
    Case("no heights", "altitude", height: 20) { _, _ in true },
    Case("heights of less than half", "altitude", height: 20) { second, fix in
      fix.altitude = second < 58 ? 400 : nil
      return true
    },
    Case("a slow climb", nil, height: 20) { second, fix in
      fix.altitude = 400 + second / 120 * 25
      return true
    },
    Case("a climb", "altitude", height: 20) { second, fix in
      fix.altitude = 400 + second / 120 * 40
      return true
    },
    Case("heights of two kinds", nil, height: 20) { second, fix in
      fix.altitude = second.remainder(dividingBy: 4) == 0 ? 400 : 415
      return true
    },
    Case("heights farther apart", "altitude", height: 20) { second, fix in
      fix.altitude = second.remainder(dividingBy: 4) == 0 ? 400 : 460
      return true
    },
  ])
  func `is rest or not for one reason`(row: Case) throws {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    var parameters = StationaryParameters()
    parameters.height = row.height
    var window = StillWindow(parameters)
    var isRest = false
    for second in stride(from: 0.0, through: 120, by: 2) {
      var fix = Location(timestamp: at(second), coordinate: place, speed: 0.1)
      if row.change(second, &fix) { isRest = window.add(fix) != nil }
    }
    #expect(isRest == (row.obstacle == nil))
    #expect(window.obstacle?.text.contains(row.obstacle ?? "") == (isRest ? nil : true))
  }
}

private func turning(_ fix: inout Location, speed: Double, _ second: Double) -> Bool {
  (fix.speed, fix.course) = (speed, (second * 40).truncatingRemainder(dividingBy: 360))
  return true
}

private func spread(_ fix: inout Location, metres: Double, _ second: Double) -> Bool {
  fix.coordinate = fix.coordinate.moved(by: metres, bearing: second * 68)
  return true
}

private func move(_ fix: inout Location, metres: Double, _ second: Double) -> Bool {
  fix.coordinate = fix.coordinate.moved(by: metres * second / 120, bearing: 30)
  return true
}
