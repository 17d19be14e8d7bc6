/// The special conditions: polygons, corridors, and whatever has options.
///
/// They lie in a row, and a column has the place of each slot's in it: every fix asks for many.
struct SpecialConditions: Sendable {
  private(set) var slots: ContiguousArray<UInt32> = []
  private(set) var prepared: ContiguousArray<PreparedCondition> = []

  /// When each ends by itself, in nanoseconds; the greatest number means never.
  ///
  /// All are looked through whenever one has ended.
  private(set) var ends: ContiguousArray<Int64> = []

  /// How far the edge of each was at the last look; nil for a circle, and before the first look.
  private(set) var clearances: ContiguousArray<Clearance?> = []

  /// How far the edge of each is from its middle; nil if that isn't inside.
  private(set) var cores: ContiguousArray<Clearance?> = []

  /// The place of each slot in these rows plus one; 0, or none, for a slot that isn't special.
  private var places = Column<UInt32>()

  /// The slots of polygons that hold all that is far from their edge, and so most of the globe.
  private(set) var boundless: Set<UInt32> = []

  /// How many ask for an altitude, and how many have a confidence of their own.
  private(set) var bands = 0
  private(set) var demanding = 0

  /// How many bytes it takes to find the places of slots.
  var bytes: Int { places.bytes }

  @inline(__always)
  var isEmpty: Bool { slots.isEmpty }

  /// Whether the condition of a slot is a special one.
  @inline(__always)
  func contains(_ slot: UInt32) -> Bool {
    Int(slot) < places.count && places[slot] != 0
  }

  /// The place of a slot's condition in the rows; nil if it isn't special.
  @inline(__always)
  func place(of slot: UInt32) -> Int? {
    contains(slot) ? Int(places[slot]) - 1 : nil
  }

  subscript(slot: UInt32) -> PreparedCondition? {
    if let place = place(of: slot) { prepared[place] } else { nil }
  }

  /// See ``boundless``.
  func isBoundless(_ slot: UInt32) -> Bool { !boundless.isEmpty && boundless.contains(slot) }

  /// Adds the condition of a slot that has none yet.
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

  /// Removes the condition of a slot, if there is one.
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

  /// Finds the innermost position of a condition, if positions with that standard deviation can't be judged without.
  mutating func findInnermost(at place: Int, for sigma: Double) {
    guard prepared[place].shape.lacksInnermost(for: sigma) else { return }
    prepared[place] = prepared[place].findingInnermost(for: sigma)
  }

  /// Finds out how far the edge of a condition is from a position, unless that is known already.
  ///
  /// - Returns: nil for a shape without such an edge, or if it says nothing about other positions.
  mutating func look(
    at place: Int, from position: Coordinate, _ points: PointFinder
  ) -> Clearance? {
    if let clearance = clearances[place], clearance.position == position { return clearance }
    let clearance = Clearance(of: prepared[place], at: position, points)
    clearances[place] = clearance
    return clearance
  }
}
