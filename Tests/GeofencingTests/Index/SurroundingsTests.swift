import TestSupport
import Testing

@testable import Geofencing

/// What is laid out around a position, against the geodesics to everything.
struct SurroundingsTests {
  /// Circles of all sizes near a position, and some far away.
  private func circles(
    around center: Coordinate, _ random: inout SplitMix64
  ) throws -> [CircularGeographicCondition] {
    func unit() -> Double { .random(in: 0...1, using: &random) }
    return try (0..<400).map { number in
      // One in five has its line near; of the large ones these have their centre far away.
      let radius = [40, 900, 9_000, 39_000, 60_000, 2e6][number % 6] * unit()
      let distance =
        number % 5 == 0 ? max(radius + 300 * (unit() - 0.5), 0) : 30_000 * unit()
      return try CircularGeographicCondition(
        center: center.moved(by: distance, bearing: 360 * unit() - 180),
        radius: max(radius, 1))
    }
  }

  @Test(arguments: [-90, -89.99, -86, -60, 0, 48.1, 84.9, 89.9], [11.5, 180])
  func `every line within reach is there, and what covers it`(
    latitude: Double, longitude: Double
  ) throws {
    var random = SplitMix64(seed: UInt64(latitude + 100))
    let position = try Coordinate(validLatitude: latitude, longitude: longitude)
    var surroundings = Surroundings()
    var (near, covered) = (0, 0)
    for reach in [0, 20, 400, 4_000.0] {
      let circles = try circles(around: position, &random)
      var index = SpatialIndex()
      for (slot, circle) in circles.enumerated() { index.insert(circle, at: UInt32(slot)) }
      surroundings.gather(around: position, reach: reach, in: index)
      let slots = (0..<surroundings.slots.count).map { surroundings.slots[$0] }
      let covering = Set(surroundings.covering)
      #expect(Set(slots).count == slots.count && covering.isDisjoint(with: slots))
      for (slot, circle) in circles.enumerated() {
        let clearance = circle.center.distance(to: position) - circle.radius
        if let number = slots.firstIndex(of: UInt32(slot)) {
          near += 1
          let block = surroundings.blocks[number / 8]
          let lane = number % 8
          let distance = block.squaredDistance(to: LocalFrame.Place(LocalFrame.Offset()))[lane]
            .squareRoot()
          let chord =
            Chord.length(ofGeodesic: circle.center.distance(to: position))
            - Chord.length(ofGeodesic: circle.radius)
          #expect(
            abs(Double(distance - block.chord[lane]) - chord) <= Double(block.error[lane]) + 1e-3,
            "\(circle)")
        } else if covering.contains(UInt32(slot)) {
          covered += 1
          #expect(clearance <= -reach, "\(circle)")
        } else {
          #expect(clearance >= reach, "\(circle)")
        }
      }
    }
    #expect(near > 50 && covered > 50)
  }

  @Test(arguments: [-89.9, -60, 0, 48.1, 84.9], [11.5, 180])
  func `no line is in the room around a position`(latitude: Double, longitude: Double) throws {
    var random = SplitMix64(seed: UInt64(latitude + 200))
    func unit() -> Double { .random(in: 0...1, using: &random) }
    let middle = try Coordinate(validLatitude: latitude, longitude: longitude)
    var found = 0
    for _ in 0..<20 {
      let circles = try (0..<20).map { _ in
        try CircularGeographicCondition(
          center: middle.moved(by: 3_000 * unit(), bearing: 360 * unit() - 180),
          radius: [30, 300, 3_000, 300_000][Int(4 * unit()) % 4] * unit() + 1)
      }
      var index = SpatialIndex()
      for (slot, circle) in circles.enumerated() { index.insert(circle, at: UInt32(slot)) }
      var surroundings = Surroundings()
      surroundings.gather(around: middle, reach: 0, in: index)
      for _ in 0..<10 {
        let position = middle.moved(by: 40 * unit(), bearing: 360 * unit() - 180)
        guard surroundings.holds(position, reach: 0),
          surroundings.findRoom(
            around: position, at: surroundings.frame.offset(of: position), reach: 20)
        else { continue }
        for _ in 0..<20 {
          let (beside, reach) = (
            position.moved(by: 60 * unit(), bearing: 360 * unit() - 180), 20 * unit()
          )
          guard surroundings.hasRoom(around: beside, reach: reach) else { continue }
          found += 1
          for circle in circles {
            #expect(abs(circle.signedDistance(to: beside)) > reach, "\(circle)")
          }
        }
      }
      surroundings.invalidate()
      #expect(!surroundings.hasRoom(around: middle, reach: 0))
    }
    #expect(found > 100)
  }
}
