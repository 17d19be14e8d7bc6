import TestSupport
import Testing

@testable import Geofencing

/// What is advised about conditions with a band of altitudes.
extension AdviceTests {
  @Test func `a band of altitudes too narrow for the accuracy is told, whatever the shape`() throws
  {
    for shape in [try circle(100).shape, try corridor([[(0, 0), (0, 500)]], width: 200).shape] {
      func advice(_ height: Double, vertical: Double?) throws -> Advice {
        let band = try AltitudeBand(minimum: 58, maximum: 58 + height)
        return Advice(
          for: try Condition(shape: shape, altitude: band), after: [],
          present: present(6, vertical: vertical), with: DecisionParameters.leaping)
      }
      let narrow = try advice(4, vertical: 8)
      #expect(narrow.judgeable == .never)
      #expect(narrow.radius == nil)
      #expect(
        narrow.sentence
          == "With altitudes accurate to 8 m, as now, nobody at rest can be 98 % sure to be in "
          + "the altitude band, even in the middle: a wider altitude band could be judged.")
      // 2.33 standard deviations of 9.6 m to either side hold 98 %.
      #expect(try advice(46, vertical: 8).judgeable == .always)
      // A fix without a height speaks for none with one.
      let unknown = try advice(46, vertical: nil)
      #expect(!unknown.sentence.contains("altitude"))
    }
  }

  @Test func `no radius or shape is blamed for a band of altitudes that can't be judged`() throws {
    let band = try AltitudeBand(minimum: 100, maximum: 150)
    for shape in [
      try circle(3000).shape, try corridor([[(0, 0), (0, 9000)]], width: 3000).shape,
    ] {
      func advice(_ present: Location?) throws -> Advice {
        Advice(
          for: try Condition(shape: shape, altitude: band), after: [], present: present,
          with: DecisionParameters.leaping)
      }
      // Nothing is known of altitudes without a fix, nor with one that is flat or has another one.
      var flat = present(6, vertical: 8)
      flat.mode = 2
      var other = present(6)
      other.ellipsoidalAltitude = 60
      for unhelpful in [nil, present(nil), present(6), flat, other] {
        let unknown = try advice(unhelpful)
        #expect(unknown.isNothingToChange && unknown.judgeable == .always)
        #expect(unknown.sentence.hasPrefix("Nothing to change so far: "))
      }
      // An altitude without accuracy is judged with the one that is assumed.
      for accuracy in [nil, 6.0] {
        var inaccurate = present(accuracy)
        inaccurate.altitude = 60
        let assumed = try advice(inaccurate)
        #expect(assumed.radius == nil && assumed.judgeable == .never)
        #expect(
          assumed.sentence
            == "With altitudes accurate to 25 m, which is assumed, nobody at rest can be 98 % sure "
            + "to be in the altitude band, even in the middle: a wider altitude band could be "
            + "judged.")
      }
    }
  }

  @Test func `a radius is advised that leaves room for what the band of altitudes takes`() throws {
    func advice(_ radius: Double) throws -> Advice {
      let condition = try Condition(
        shape: circle(radius).shape, altitude: AltitudeBand(minimum: 0, maximum: 46))
      return Advice(
        for: condition, after: [], present: present(6, vertical: 8),
        with: DecisionParameters.leaping)
    }
    #expect(try advice(15).judgeable == .never)
    let radius = try #require(try advice(15).radius)
    #expect(try advice(radius).judgeable == .always)
  }
}
