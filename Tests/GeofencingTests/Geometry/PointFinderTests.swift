import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// Points in space found from round angles, against sines and cosines of the angles themselves.
struct PointFinderTests {
  private func exact(_ latitude: Double, _ longitude: Double) -> GeocentricPoint {
    let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
    let squared = GeocentricPoint.squaredEccentricity
    let normal = GeocentricPoint.equatorialRadius / (1 - squared * sin(phi) * sin(phi)).squareRoot()
    return GeocentricPoint(
      x: normal * cos(phi) * cos(lambda), y: normal * cos(phi) * sin(lambda),
      z: normal * (1 - squared) * sin(phi))
  }

  @Test func `points are those of sines and cosines, to some nanometres`() {
    var random = SplitMix64(seed: 5)
    var finder = PointFinder()
    for number in 0..<20_000 {
      let latitude = number < 2 ? 90.0 : .random(in: -90...90, using: &random)
      let longitude = number % 3 == 0 ? 180.0 : .random(in: -180...180, using: &random)
      let found = finder.point(latitude: latitude, longitude: longitude)
      #expect(found.squaredDistance(to: exact(latitude, longitude)).squareRoot() < 1e-8)
    }
  }

  @Test func `what was asked before changes nothing`() {
    var random = SplitMix64(seed: 6)
    var finder = PointFinder()
    for _ in 0..<20_000 {
      // Round angles, and the ends between them, with what lies near.
      let latitude = (Double.random(in: -90...90, using: &random) * 16).rounded() / 16
      let longitude =
        (Double.random(in: -180...180, using: &random) * 16).rounded() / 16
        + [0, 1e-14, -1e-14, 1.0 / 32][Int.random(in: 0..<4, using: &random)]
      let found = finder.point(latitude: latitude, longitude: longitude)
      #expect(found == GeocentricPoint(longitude: longitude, latitude: latitude))
      _ = finder.point(
        latitude: latitude + .random(in: -0.1...0.1, using: &random),
        longitude: longitude + .random(in: -0.1...0.1, using: &random))
    }
  }
}
