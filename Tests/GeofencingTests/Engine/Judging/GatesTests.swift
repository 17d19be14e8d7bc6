import Testing

@testable import Geofencing

/// Which awake conditions are left alone.
struct GatesTests {
  private let center: Coordinate
  private let frame: LocalFrame

  init() throws {
    center = try Coordinate(validLatitude: 48.1, longitude: 11.5)
    frame = LocalFrame(at: center)
  }

  /// Gates with circles around the centre in one state, as they are after a fix of an accuracy.
  private func gates(
    _ radii: [Double], _ state: ConditionState, _ zone: UndecidedZone
  ) throws -> Gates {
    var index = SpatialIndex()
    var gates = Gates()
    for (number, radius) in radii.enumerated() {
      let slot = UInt32(number)
      index.insert(try CircularGeographicCondition(center: center, radius: radius), at: slot)
      gates.append(index.entry(of: slot), at: index.place(of: slot))
      gates.update(
        number, ConditionWatch(assuming: state, watchedSince: nil), isPlain: true)
    }
    gates.move(to: frame, of: 1, with: zone)
    return gates
  }

  /// The numbers of those that a fix so many metres to the east may change.
  private func loud(_ gates: Gates, at metres: Double, afterGap: Bool = false) -> [Int] {
    let place = LocalFrame.Place(frame.offset(of: center.moved(by: metres, bearing: 90)))
    var found = Column<UInt32>()
    if afterGap {
      gates.findAfterGap(at: place, &found)
    } else {
      gates.find(at: place, &found)
    }
    return (0..<found.count).map { Int(found[$0]) }
  }

  @Test func `inside, at the line and outside of what is satisfied`() throws {
    let gates = try gates([500, 600], .satisfied, UndecidedZone(deviations: 2, sigma: 10))
    #expect(loud(gates, at: 0).isEmpty)
    #expect(loud(gates, at: 495).isEmpty)
    #expect(loud(gates, at: 530) == [0])
    #expect(loud(gates, at: 700) == [0, 1])
    // Something is missing: at the line, that may be the beginning of a doubt.
    #expect(loud(gates, at: 0, afterGap: true).isEmpty)
    #expect(loud(gates, at: 495, afterGap: true) == [0])
  }

  @Test func `what is outside is left alone at the line only`() throws {
    let gates = try gates([500], .unsatisfied, UndecidedZone(deviations: 2, sigma: 10))
    #expect(loud(gates, at: 0) == [0])
    #expect(loud(gates, at: 490).isEmpty)
    #expect(loud(gates, at: 0, afterGap: true) == [0])
  }

  @Test func `deep inside of what is large, or with next to no confidence, nothing happens`() throws
  {
    let zones = [
      UndecidedZone(deviations: 2, sigma: 3), UndecidedZone(deviations: 0, sigma: 10),
    ]
    for zone in zones {
      let gates = try gates([400, 90_000, 1_500_000], .satisfied, zone)
      #expect(loud(gates, at: 0).isEmpty)
      #expect(loud(gates, at: 0, afterGap: true).isEmpty)
      #expect(loud(gates, at: 900) == [0])
    }
  }

  @Test func `what is small beside the accuracy is always judged, and what is gone never`() throws {
    var gates = try gates([20, 500, 30], .satisfied, UndecidedZone(deviations: 2, sigma: 10))
    #expect(loud(gates, at: 0) == [0, 2])
    #expect(gates.remove(at: 0) == 2)
    #expect(loud(gates, at: 0) == [0])
    #expect(gates.remove(at: 0) == 1)
    #expect(gates.remove(at: 0) == nil)
    #expect(loud(gates, at: 0).isEmpty && gates.count == 0)
  }
}
