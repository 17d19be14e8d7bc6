import TestSupport
import Testing

@testable import Geofencing

/// Places in a frame, against points in space found with sines and cosines.
struct LocalFrameTests {
  @Test(arguments: [-90, -89.99, -60, -0.01, 0, 33, 48.1, 84.9, 89.999, 90])
  func `distances from the centre and between places are those in space`(latitude: Double) throws {
    var random = SplitMix64(seed: 11)
    let center = try Coordinate(
      validLatitude: latitude, longitude: .random(in: -180...180, using: &random))
    let frame = LocalFrame(at: center)
    var places: [Coordinate] = []
    var bounded = 0
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
      let angles = BinaryAngles(one)
      #expect(abs(frame.offset(of: angles).squaredLength.squareRoot() - exact) < 0.01)
      let bound = frame.squaredBound(to: one)
      #expect(bound == .infinity || bound.squareRoot() >= center.distance(to: one) - 1e-6)
      if bound.isFinite { bounded += 1 }
    }
    #expect(bounded > 0)
  }

  @Test(arguments: [-89.99, -60, 0, 33, 48.1, 84.9])
  func `eight places at once are where each is by itself`(latitude: Double) throws {
    var random = SplitMix64(seed: 12)
    let center = try Coordinate(validLatitude: latitude, longitude: 179.99)
    let frame = LocalFrame(at: center)
    var far = 0
    for _ in 0..<200 {
      let places = (0..<8).map { _ in
        let metres = Double.random(in: 0...1, using: &random)
        return BinaryAngles(
          center.moved(
            by: metres * metres * 20_000, bearing: .random(in: -180...180, using: &random)))
      }
      var (latitudes, longitudes) = (SIMD8<UInt32>(), SIMD8<UInt32>())
      for lane in 0..<8 {
        (latitudes[lane], longitudes[lane]) = (places[lane].latitude, places[lane].longitude)
      }
      let found = frame.offsets(latitude: latitudes, longitude: longitudes)
      for lane in 0..<8 {
        guard !found.isFar[lane] else {
          far += 1
          continue
        }
        let one = frame.offset(of: places[lane])
        let other = LocalFrame.Offset(
          outwards: Double(found.outwards[lane]), east: Double(found.east[lane]),
          northwards: Double(found.northwards[lane]))
        #expect(one.distance(to: other) <= 1e-4 + 3e-7 * one.squaredLength.squareRoot())
      }
    }
    #expect(far > 0 && far < 1_600)
  }
}
