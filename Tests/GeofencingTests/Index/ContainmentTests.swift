import TestSupport
import Testing

@testable import Geofencing

/// Which circles hold a position, against GeographicLib's geodesic to every one of them.
struct ContainmentTests {
  private static let places: [(latitude: Double, longitude: Double)] = [
    (48.1, 11.5), (0, 180), (0.3, -179.9), (90, 0), (-90, 77), (89.5, -120), (-67, -180), (12, 0),
  ]

  private struct Globe {
    var random: SplitMix64

    mutating func number(_ range: ClosedRange<Double>) -> Double {
      .random(in: range, using: &random)
    }

    mutating func place() throws -> Coordinate {
      let place = ContainmentTests.places.randomElement(using: &random) ?? (0, 0)
      let start = try Coordinate(validLatitude: place.latitude, longitude: place.longitude)
      return start.moved(by: number(0...1) * number(0...1) * 30_000, bearing: number(-180...180))
    }

    /// Of any size from a metre to two thousand kilometres.
    mutating func circle() throws -> CircularGeographicCondition {
      let radius =
        Double.random(in: 0...1, using: &random) < 0.9 ? number(1...900) : number(1e3...2e6)
      return try CircularGeographicCondition(center: place(), radius: radius)
    }

    /// A place from which the line of a circle is about to be crossed, or any other.
    mutating func position(at circle: CircularGeographicCondition) throws -> Coordinate {
      number(0...1) < 0.3
        ? try place()
        : circle.center.moved(
          by: circle.radius + number(-1...1) * number(0...1) * 3, bearing: number(-180...180))
    }
  }

  @Test(arguments: 1...4)
  func `all over the globe, circles hold what their geodesics do`(seed: UInt64) throws {
    var globe = Globe(random: SplitMix64(seed: seed))
    var monitor = ContainmentMonitor()
    var circles: [UInt32: CircularGeographicCondition] = [:]
    for slot in 0..<UInt32(600) {
      circles[slot] = try globe.circle()
      try monitor.insert(#require(circles[slot]), at: slot)
    }
    var inside: Set<UInt32> = []
    var atLine = 0
    for round in 0..<400 {
      // Circles come and go, under the same numbers and others.
      if round % 5 == 0 {
        let slot = UInt32.random(in: 0..<700, using: &globe.random)
        if circles[slot] != nil { monitor.remove(slot) }
        inside.remove(slot)
        circles[slot] = nil
        if round % 10 == 0 {
          circles[slot] = try globe.circle()
          try monitor.insert(#require(circles[slot]), at: slot)
        }
      }
      let near = try #require(circles.values.randomElement(using: &globe.random))
      var position = try globe.position(at: near)
      for _ in 0..<4 {
        monitor.update(to: position) { slot, isInside in
          #expect(isInside ? inside.insert(slot).inserted : inside.remove(slot) != nil)
        }
        for (slot, circle) in circles {
          let distance = circle.signedDistance(to: position)
          if abs(distance) < 1e-3 { atLine += 1 }
          #expect(
            abs(distance) < 1e-3 || inside.contains(slot) == (distance <= 0),
            "\(circle) at \(position): \(distance)")
        }
        position = position.moved(by: globe.number(0...20), bearing: globe.number(-180...180))
      }
    }
    #expect(atLine < 40)
  }

  @Test(arguments: 1...8)
  func `few circles are entered and left where their geodesics say so`(seed: UInt64) throws {
    var globe = Globe(random: SplitMix64(seed: seed))
    let place = Self.places[Int(seed) - 1]
    let middle = try Coordinate(validLatitude: place.latitude, longitude: place.longitude)
    var monitor = ContainmentMonitor()
    var circles: [CircularGeographicCondition] = []
    func add() throws {
      let circle = try CircularGeographicCondition(
        center: middle.moved(by: globe.number(0...1_500), bearing: globe.number(-180...180)),
        radius: globe.number(1...400))
      monitor.insert(circle, at: UInt32(circles.count))
      circles.append(circle)
    }
    for _ in 0..<10 { try add() }
    var (inside, events) = (Set<UInt32>(), 0)
    var (position, bearing) = (middle, 0.0)
    for round in 0..<4_000 {
      // They are added where one has just been, too.
      if round % 1_000 == 999 { try add() }
      monitor.update(to: position) { slot, isInside in
        events += 1
        #expect(isInside ? inside.insert(slot).inserted : inside.remove(slot) != nil)
      }
      for (slot, circle) in circles.enumerated() {
        let distance = circle.signedDistance(to: position)
        #expect(
          abs(distance) < 1e-3 || inside.contains(UInt32(slot)) == (distance <= 0),
          "\(circle) at \(position) in round \(round): \(distance)")
      }
      if round % 300 == 0 { bearing = position.bearing(to: middle) + globe.number(-20...20) }
      position = position.moved(
        by: globe.number(0...1) < 0.01 ? globe.number(0...900) : globe.number(0...25),
        bearing: bearing + globe.number(-30...30))
    }
    #expect(events > 10)
  }

  @Test func `circles that come and go leave nothing behind`() throws {
    var globe = Globe(random: SplitMix64(seed: 9))
    var monitor = ContainmentMonitor()
    func turn() throws {
      for slot in 0..<UInt32(2000) { monitor.insert(try globe.circle(), at: slot) }
      for slot in 0..<UInt32(2000) { monitor.remove(slot) }
    }
    try turn()
    try turn()
    let bytes = monitor.bytes
    for _ in 0..<5 { try turn() }
    #expect(monitor.bytes <= bytes * 2)
    monitor.update(to: try globe.place()) { slot, _ in Issue.record("\(slot) was removed") }
  }

  @Test func `very many circles in one place are told apart`() throws {
    let centre = try Coordinate(validLatitude: 52, longitude: 13)
    var monitor = ContainmentMonitor()
    for slot in 0..<UInt32(5_000) {
      monitor.insert(
        try CircularGeographicCondition(center: centre, radius: 1 + Double(slot) / 10), at: slot)
    }
    var told = 0
    monitor.update(to: centre.moved(by: 101.05, bearing: 30)) { slot, isInside in
      told += 1
      #expect(isInside && slot >= 1001)
    }
    #expect(told == 3_999)
  }

  @Test func `to remove what isn't there changes nothing`() throws {
    let centre = try Coordinate(validLatitude: 0, longitude: 0)
    var monitor = ContainmentMonitor()
    monitor.insert(try CircularGeographicCondition(center: centre, radius: 1), at: 0)
    monitor.insert(try CircularGeographicCondition(center: centre, radius: 50), at: 1)
    for slot in [1, 1, 7] as [UInt32] { monitor.remove(slot) }
    var inside: [UInt32] = []
    monitor.update(to: centre) { slot, isInside in if isInside { inside.append(slot) } }
    #expect(inside == [0])
  }
}
