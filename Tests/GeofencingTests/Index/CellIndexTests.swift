import TestSupport
import Testing

@testable import Geofencing

/// What the cells find, against a look at every entry.
struct CellIndexTests {
  private struct Globe {
    var random = SplitMix64(seed: 21)
    var circles: [UInt32: CircularGeographicCondition] = [:]
    var index = CellIndex()

    mutating func number(_ range: ClosedRange<Double>) -> Double {
      .random(in: range, using: &random)
    }

    /// Anywhere, or in one of a few places with many, at a pole or on the antimeridian.
    mutating func place() throws -> Coordinate {
      let latitudes = [48.1, 0, 90, -90, -16.5, 71]
      let longitudes = [11.5, 180, 0, -180, 179.99, -179.99]
      let which = Int.random(in: 0..<8, using: &random)
      let start = try Coordinate(
        validLatitude: which < 6 ? latitudes[which] : number(-90...90),
        longitude: which < 6 ? longitudes[which] : number(-180...180))
      return start.moved(by: number(0...1) * number(0...1) * 20_000, bearing: number(-180...180))
    }

    mutating func radius() -> Double {
      let sizes: [ClosedRange<Double>] = [1...1, 1...30, 50...500, 1e3...2e4, 1e5...2e6]
      let which = Int.random(in: 0..<sizes.count, using: &random)
      return number(sizes[which])
    }

    func entry(_ slot: UInt32, _ circle: CircularGeographicCondition) -> CellIndex.Entry {
      CellIndex.Entry(
        slot, at: BinaryAngles(circle.center), radius: circle.radius, isCircle: true)
    }

    /// What is found within a reach, none of it twice.
    func found(_ reach: Reach) -> [UInt32: Bool] {
      var ranges: ContiguousArray<Range<UInt32>> = []
      index.find(within: reach, &ranges)
      var found: [UInt32: Bool] = [:]
      for entry in ranges.joined().map({ index.entries[$0] }) {
        #expect(found[entry.slot] == nil)
        found[entry.slot] = reach.isBeyond(entry)
      }
      return found
    }
  }

  @Test func `nothing within a reach is missed, and nothing is said of it that isn't so`() throws {
    var globe = Globe()
    var seen = 0
    for round in 0..<6_000 {
      let slot = UInt32.random(in: 0..<3_000, using: &globe.random)
      if let circle = globe.circles.removeValue(forKey: slot) {
        globe.index.remove(globe.entry(slot, circle))
      } else {
        let circle = try CircularGeographicCondition(
          center: globe.place(), radius: globe.radius())
        globe.circles[slot] = circle
        globe.index.insert(globe.entry(slot, circle))
      }
      guard round % 60 == 59 else { continue }
      let position = try globe.place()
      let radii: [Double] = [5, 100, 5_000, 300_000, 2e7]
      let radius = radii.randomElement(using: &globe.random) ?? 0
      let found = globe.found(Reach(around: position, radius: radius))
      for (slot, circle) in globe.circles {
        let distance = circle.center.distance(to: position)
        if distance <= circle.radius + radius {
          #expect(found[slot] == false, "\(circle) from \(position)")
        }
      }
      seen += found.values.count { !$0 }
    }
    #expect(seen > 1_000)
  }

  @Test func `four at once are beyond as each is by itself`() throws {
    var globe = Globe()
    for _ in 0..<500 {
      let position = try globe.place()
      let reach = Reach(around: position, radius: globe.number(1...5_000))
      let entries = try (0..<4).map { slot in
        let center = position.moved(
          by: globe.number(0...12_000), bearing: globe.number(-180...180))
        return globe.entry(
          UInt32(slot),
          try CircularGeographicCondition(center: center, radius: globe.radius()))
      }
      let four = unsafe entries.withUnsafeBytes { bytes in
        unsafe bytes.loadUnaligned(as: SIMD16<UInt32>.self)
      }
      // Near a pole there is no sieve, and nothing is surely beyond.
      let beyond = reach.sieve?.isBeyond(four) ?? 0
      for lane in 0..<4 {
        #expect((beyond >> lane & 1 == 1) == reach.isBeyond(entries[lane]))
      }
    }
  }

  @Test func `cells that are empty again are used again`() throws {
    var globe = Globe()
    var bytes = 0
    for turn in 0..<6 {
      var circles: [CircularGeographicCondition] = []
      for slot in 0..<UInt32(3_000) {
        let circle = try CircularGeographicCondition(
          center: globe.place(), radius: globe.radius())
        circles.append(circle)
        globe.index.insert(globe.entry(slot, circle))
      }
      for (slot, circle) in circles.enumerated() {
        globe.index.remove(globe.entry(UInt32(slot), circle))
      }
      if turn == 1 { bytes = globe.index.bytes }
      for radius in [2e7, 1e30] {
        #expect(globe.found(Reach(around: try globe.place(), radius: radius)).isEmpty)
      }
    }
    #expect(globe.index.bytes <= bytes * 2)
  }
}
