import TestSupport
import Testing

@testable import Geofencing

/// What is believed of a receiver that knows where it is to centimetres.
@Suite struct CentimetreTests {
  @Test(arguments: [2.5, 14.0]) func `lets no jump of metres pass where centimetres are usual`(
    jump: Double
  ) {
    for (minimum, isRefused) in [(0.1, true), (3, false)] {
      var parameters = DecisionParameters()
      parameters.minimumSigma = minimum
      var filter = MotionFilter()
      for second in seconds(0, 100) {
        let report = report(
          second, east: second < 90 ? 0 : jump, speed: 0.01, course: 0, accuracy: 0.03)
        let taken = filter.estimate(report, with: parameters)
        #expect((taken == nil) == (second >= 90 && isRefused), "\(second)")
      }
    }
  }

  /// A mower that has turned round at the end of a lane, and is not heard for some seconds.
  @Test(arguments: [0.2, 0.3], [2.0, 3, 4])
  func `follows what turned round slowly before an outage`(speed: Double, back: Double) {
    var parameters = DecisionParameters()
    parameters.minimumSigma = 0.1
    var filter = MotionFilter()
    let lost = 42 + back
    var (last, east) = (0.0, 0.0)
    for (first, end, velocity) in [
      (0.0, 40.0, speed), (40, 42, 0), (42, lost, -speed), (lost + 4, 60, -speed),
    ] {
      for second in seconds(first, end, every: 0.2) {
        east += (second - last) * velocity
        last = second
        let report = report(
          second, east: east, speed: abs(velocity), course: velocity > 0 ? 90 : 270, accuracy: 0.02)
        #expect(filter.estimate(report, with: parameters) != nil, "\(second)")
      }
    }
  }

  @Test(arguments: [4.0, 8, 14]) func `takes no centimetres for right that come from metres away`(
    jump: Double
  ) {
    var parameters = DecisionParameters()
    parameters.minimumSigma = 0.1
    var filter = MotionFilter()
    let fixes = seconds(0, 160).map { second in
      // As of a receiver that fixes the wrong whole numbers of waves, until it finds the right ones.
      report(
        second, east: (120..<140).contains(second) ? jump : 0, speed: 0.01, course: 0,
        accuracy: second < 120 ? 0.37 : 0.03)
    }
    #expect(filter.refusals(fixes, with: parameters) == seconds(120, 140))
  }
}
