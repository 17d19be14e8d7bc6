import Glibc
import Testing

@testable import QualityBenchmark

@Suite struct TruthTests {
  /// Otherwise the two would have different visits, and their scores couldn't be compared.
  @Test(arguments: [30.0, 400])
  func `a polygon is the place that its circle is, to a centimetre`(radius: Double) {
    let circle = Truth.Fence(east: 3, north: -7, radius: radius)
    var polygon = circle
    polygon.isPolygon = true
    var largest = 0.0
    for step in 0..<10_000 {
      // No multiple of the angle between corners.
      let angle = Double(step) * 0.01
      for distance in [radius - 20, radius, radius + 20] {
        let point = Truth.Point(
          east: 3 + distance * sin(angle), north: -7 + distance * cos(angle))
        largest = max(largest, abs(polygon.distance(to: point) - circle.distance(to: point)))
      }
    }
    #expect(largest < 0.01)
    // Only a circle would be the same to the last bit.
    #expect(largest > 0)
  }
}
