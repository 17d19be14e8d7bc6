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

/// A report with something changed.
func change(_ report: TPV, _ body: (inout TPV) -> Void) -> TPV {
  var report = report
  body(&report)
  return report
}
