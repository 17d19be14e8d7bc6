import Geofencing
import Positioning
import TestSupport

/// A report with a position 0.00001° (1.1 m) further north for each step.
func report(
  _ second: Double?, north steps: Double = 0, device: String? = "/dev/a", eph: Double? = 5,
  speed: Double? = nil
) -> TPV {
  var report = TPV()
  report.device = device
  report.time = second.map(at)
  report.mode = 3
  report.latitude = 47 + steps * 0.00001
  report.longitude = 8
  report.eph = eph
  report.speed = speed
  return report
}

/// A report that says that there is no position.
func noFix(_ second: Double?, device: String? = "/dev/a") -> TPV {
  var report = TPV()
  report.device = device
  report.time = second.map(at)
  report.mode = 1
  return report
}

/// A fix so many metres north of a spot.
func spotFix(
  at second: Double, north: Double = 0, speed: Double?, course: Double?, accuracy: Double = 4,
  satellites: Int? = nil, altitude: Double? = nil
) -> Location {
  guard let spot = Coordinate(latitude: 47, longitude: 8) else {
    preconditionFailure("the spot is off the globe")
  }
  var fix = Location(
    timestamp: at(second), coordinate: spot.moved(by: north, bearing: 0),
    horizontalAccuracy: accuracy, speed: speed)
  (fix.course, fix.satellitesUsed, fix.altitude) = (course, satellites, altitude)
  return fix
}

/// A report with something changed.
func change(_ report: TPV, _ body: (inout TPV) -> Void) -> TPV {
  var report = report
  body(&report)
  return report
}
