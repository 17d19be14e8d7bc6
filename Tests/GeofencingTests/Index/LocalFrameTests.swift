import Testing

@testable import Geofencing

/// Places in a frame, against points in space found with sines and cosines.
struct LocalFrameTests {
  @Test(arguments: [-90, -89.99, -60, -0.01, 0, 33, 48.1, 84.9, 89.999, 90])
  func `distances from the centre and between places are those in space`(latitude: Double) throws {
    var random = SplitMix64(state: 11)
    let center = try Coordinate(
      validLatitude: latitude, longitude: .random(in: -180...180, using: &random))
    let frame = LocalFrame(at: center)
    var places: [Coordinate] = []
    for index in 0..<200 {
      // Up to five kilometres it is the series, and far away it isn't.
      let metres = Double.random(in: 0...1, using: &random) * (index < 150 ? 5_000 : 3e6)
      places.append(center.moved(by: metres, bearing: .random(in: -180...180, using: &random)))
    }
    for (one, other) in zip(places, places.dropFirst()) {
      let (offset, next) = (frame.offset(of: one), frame.offset(of: other))
      let (point, nextPoint) = (GeocentricPoint(one), GeocentricPoint(other))
      let exact = frame.origin.squaredDistance(to: point).squareRoot()
      #expect(abs(offset.squaredLength.squareRoot() - exact) < 1e-5)
      #expect(
        abs(offset.distance(to: next) - point.squaredDistance(to: nextPoint).squareRoot()) < 1e-5)
      // As units, a position is known to a centimetre.
      let angles = BinaryAngles(latitude: one.latitude, longitude: one.longitude)
      #expect(abs(frame.offset(of: angles).squaredLength.squareRoot() - exact) < 0.01)
      let bound = frame.squaredBound(to: one)
      #expect(bound == .infinity || bound.squareRoot() >= center.distance(to: one) - 1e-6)
    }
  }
}
