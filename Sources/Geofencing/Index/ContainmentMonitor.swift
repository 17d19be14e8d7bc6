/// Which circles a position is inside of, and which it enters and leaves.
///
/// Plain geometry, exact to a tenth of a millimetre: what is to be believed of a position that is only
/// roughly known is a matter of ``ConditionEngine``.
package struct ContainmentMonitor: Sendable {
  private var index = SpatialIndex()
  private var surroundings = Surroundings()

  /// Whether the last position was inside, of each slot.
  private var isInside = Column<Bool>()

  /// All that the last position was inside of, and a few that it isn't any more.
  private var inside: ContiguousArray<UInt32> = []

  package init() {}

  /// How many bytes it takes.
  package var bytes: Int { index.bytes + isInside.bytes }

  /// Adds a circle under a number that isn't in use; small numbers cost little.
  package mutating func insert(_ circle: CircularGeographicCondition, at slot: UInt32) {
    index.insert(circle, at: slot)
    let missing = Int(slot) + 1 - isInside.count
    if missing > 0 { isInside.append(false, count: missing) }
    forget()
  }

  /// Takes a circle away, which isn't left by that.
  package mutating func remove(_ slot: UInt32) {
    index.remove(slot)
    isInside[slot] = false
    forget()
  }

  private mutating func forget() {
    surroundings.invalidate()
  }

  /// Compares a position with all circles.
  ///
  /// - Parameter changed: is told each circle that the position is inside of since this one, or isn't
  ///   any more; in no order.
  package mutating func update(to position: Coordinate, changed: (UInt32, Bool) -> Void) {
    if surroundings.holds(position, reach: 0), let frame = surroundings.frame {
      compare(position, at: frame.point(at: position), changed)
      return
    }
    let point = GeocentricPoint(position)
    // What was left may be far away by now.
    for slot in inside where isInside[slot] && !contains(position, point, slot) {
      isInside[slot] = false
      changed(slot, false)
    }
    var found: ContiguousArray<UInt32> = []
    surroundings.gather(around: position, at: point, reach: 0, in: index) { found.append($0) }
    for slot in found where !isInside[slot] {
      enter(slot)
      changed(slot, true)
    }
    inside.removeAll { !isInside[$0] }
    compare(position, at: point, changed)
  }

  private mutating func enter(_ slot: UInt32) {
    isInside[slot] = true
    inside.append(slot)
  }

  private mutating func compare(
    _ position: Coordinate, at point: GeocentricPoint, _ changed: (UInt32, Bool) -> Void
  ) {
    for offset in 0..<surroundings.places.count {
      let place = surroundings.places[offset]
      let squared = place.squaredDistance(to: point)
      let difference = squared - place.chord * place.chord
      var now = difference < 0
      let slot = surroundings.slots[offset]
      if abs(difference) <= place.squaredTolerance {
        now = index.isExactlyInside(position, slot)
      }
      guard now != isInside[slot] else { continue }
      if now { enter(slot) } else { isInside[slot] = false }
      changed(slot, now)
    }
  }

  private func contains(_ position: Coordinate, _ point: GeocentricPoint, _ slot: UInt32) -> Bool {
    let place = index.places[slot]
    let difference = place.squaredDistance(to: point) - place.chord * place.chord
    if abs(difference) > place.squaredTolerance { return difference < 0 }
    return index.isExactlyInside(position, slot)
  }
}
