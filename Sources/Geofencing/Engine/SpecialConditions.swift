/// The conditions that are more than a circle: polygons and corridors, and whatever has options.
///
/// They lie in a row, and a column says where each slot's is: every fix asks for many.
struct SpecialConditions: Sendable {
  private(set) var slots: ContiguousArray<UInt32> = []
  private(set) var prepared: ContiguousArray<PreparedCondition> = []

  /// When each ends by itself, in nanoseconds, the greatest number being never: all are looked through whenever one
  /// has ended.
  private(set) var ends: ContiguousArray<Int64> = []

  /// How far the edge of each is from where it was looked at last; nil of a circle, and before that.
  private(set) var clearances: ContiguousArray<Clearance?> = []

  /// How far the edge of each is from its middle, where that is inside.
  private(set) var cores: ContiguousArray<Clearance?> = []

  /// Of each slot, its place in these rows and one more; 0, or nothing, where it has none.
  private var places = Column<UInt32>()

  /// The slots of polygons that hold what is far from their edge.
  private(set) var boundless: Set<UInt32> = []

  /// How many ask for an altitude, and how many for a confidence of their own.
  private(set) var bands = 0
  private(set) var demanding = 0

  /// How many bytes it takes to find them.
  var bytes: Int { places.bytes }

  @inline(__always)
  var isEmpty: Bool { slots.isEmpty }

  /// Whether a slot's condition is one of them.
  @inline(__always)
  func contains(_ slot: UInt32) -> Bool {
    Int(slot) < places.count && places[slot] != 0
  }

  /// Where a slot's condition is in the rows; nil when it isn't there.
  @inline(__always)
  func place(of slot: UInt32) -> Int? {
    contains(slot) ? Int(places[slot]) - 1 : nil
  }

  subscript(slot: UInt32) -> PreparedCondition? {
    if let place = place(of: slot) { prepared[place] } else { nil }
  }

  /// See ``boundless``.
  func isBoundless(_ slot: UInt32) -> Bool { !boundless.isEmpty && boundless.contains(slot) }

  /// Adds a condition of a slot that has none.
  mutating func insert(_ condition: PreparedCondition, at slot: UInt32) {
    let missing = Int(slot) + 1 - places.count
    if missing > 0 { places.append(0, count: missing) }
    slots.append(slot)
    prepared.append(condition)
    ends.append(condition.condition.expires?.nanoseconds ?? .max)
    clearances.append(nil)
    cores.append(Clearance(ofMiddle: condition))
    places[slot] = UInt32(slots.count)
    if case .polygon(let polygon) = condition.shape, polygon.isBoundless { boundless.insert(slot) }
    count(condition, 1)
  }

  /// Takes a slot's condition away, if there is one.
  mutating func remove(_ slot: UInt32) {
    guard let place = place(of: slot) else { return }
    count(prepared[place], -1)
    boundless.remove(slot)
    let last = slots.count - 1
    places[slots[last]] = UInt32(place + 1)
    places[slot] = 0
    slots.swapAt(place, last)
    prepared.swapAt(place, last)
    ends.swapAt(place, last)
    clearances.swapAt(place, last)
    cores.swapAt(place, last)
    slots.removeLast()
    prepared.removeLast()
    ends.removeLast()
    clearances.removeLast()
    cores.removeLast()
  }

  private mutating func count(_ prepared: PreparedCondition, _ change: Int) {
    if prepared.condition.altitude != nil { bands += change }
    if prepared.isDemanding { demanding += change }
  }

  /// Finds out what positions of a standard deviation can't be judged without.
  mutating func findInnermost(at place: Int, for sigma: Double) {
    guard prepared[place].shape.lacksInnermost(for: sigma) else { return }
    prepared[place] = prepared[place].findingInnermost(for: sigma)
  }

  /// Looks how far the edge of a condition is from a position, unless that is known.
  ///
  /// - Returns: nil of what has no edge to look at, or one that says nothing of other positions.
  mutating func look(
    at place: Int, from position: Coordinate, _ points: PointFinder
  ) -> Clearance? {
    if let clearance = clearances[place], clearance.position == position { return clearance }
    let clearance = Clearance(of: prepared[place], at: position, points)
    clearances[place] = clearance
    return clearance
  }
}
