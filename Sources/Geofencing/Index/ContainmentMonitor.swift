/// Finds out which circles a position is inside of, and which it enters and leaves.
///
/// It is plain geometry, exact to a tenth of a millimetre. What to believe of positions with errors is decided by
/// ``ConditionEngine``.
package struct ContainmentMonitor: Sendable {
  private var index = SpatialIndex()
  private var surroundings = Surroundings()

  /// The circles that the last position is inside of.
  private var inside = SlotSet()

  /// While the surroundings are looked up: circles that the position was inside of before, and that weren't found yet.
  private var missing = SlotSet()

  /// For each slot of the surroundings, the squared distances between which nothing changes.
  private var quiet = Column<Quiet>()

  /// While the surroundings are looked up: the circles that the position was inside of before; kept for its memory.
  private var before: ContiguousArray<UInt32> = []

  /// How many blocks of the surroundings the last position was compared with.
  private var comparedBlocks = 0

  /// Whether the last position was in the room without lines that is known: then no line was crossed since.
  private var hasRoom = false

  /// The squared distances between which nothing changes for eight slots.
  private struct Quiet: BitwiseCopyable {
    var least: Surroundings.Numbers
    var most: Surroundings.Numbers
  }

  package init() {}

  /// How many bytes it takes.
  package var bytes: Int { index.bytes + inside.bytes + missing.bytes }

  /// Adds a circle at a slot that isn't in use; small slots take little memory.
  package mutating func insert(_ circle: CircularGeographicCondition, at slot: UInt32) {
    index.insert(circle, at: slot)
    inside.reserve(Int(slot) + 1)
    missing.reserve(Int(slot) + 1)
    surroundings.invalidate()
  }

  /// Removes a circle without telling that it was left.
  package mutating func remove(_ slot: UInt32) {
    index.remove(slot)
    inside.reserve(Int(slot) + 1)
    inside[slot] = false
    surroundings.invalidate()
  }

  /// Compares a position with all circles.
  ///
  /// - Parameter changed: is called for each circle that the position has entered (true) or left (false), in no order.
  @inline(__always)
  package mutating func update(to position: Coordinate, changed: (UInt32, Bool) -> Void) {
    if hasRoom, surroundings.hasRoom(around: position, reach: 0) { return }
    if surroundings.holds(position, reach: 0) {
      compare(position, reach: 0, changed)
    } else {
      lookAround(position, changed)
      comparedBlocks = 0
      // On the way to here lines at any distance may have been crossed.
      compare(position, reach: .infinity, changed)
    }
  }

  private mutating func lookAround(_ position: Coordinate, _ changed: (UInt32, Bool) -> Void) {
    // Circles that the position was inside of, and that are neither around it nor near any more, were left.
    before.removeAll(keepingCapacity: true)
    for slot in surroundings.covering { note(slot) }
    for group in 0..<quiet.count {
      // Slots with a lower bound below 0 are inside.
      for lane in Lanes(quiet[group].least .< 0) { note(surroundings.slots[group * 8 + lane]) }
    }
    surroundings.gather(around: position, reach: 0, in: index)
    for slot in surroundings.covering {
      missing[slot] = false
      guard !inside[slot] else { continue }
      inside[slot] = true
      changed(slot, true)
    }
    settleAll()
    for slot in before where missing[slot] {
      missing[slot] = false
      inside[slot] = false
      changed(slot, false)
    }
  }

  /// Notes a circle that the position was inside of.
  @inline(__always)
  private mutating func note(_ slot: UInt32) {
    guard inside[slot] else { return }
    missing[slot] = true
    before.append(slot)
  }

  /// Finds the distances between which nothing changes, for all slots, and marks those that were found again.
  private mutating func settleAll() {
    quiet.resize(to: surroundings.blocks.count)
    for group in 0..<surroundings.blocks.count {
      let block = surroundings.blocks[group]
      var bits: Int32 = 0
      for number in group * 8..<min(group * 8 + 8, surroundings.slots.count) {
        let slot = surroundings.slots[number]
        guard inside[slot] else { continue }
        missing[slot] = false
        bits |= 1 << Int32(number % 8)
      }
      // Every radius is larger than its error.
      let (inner, outer) = (block.chord - block.error, block.chord + block.error)
      let isInside = Lanes.mask(of: bits)
      quiet[group] = Quiet(
        least: (outer * outer).replacing(with: -1, where: isInside),
        most: (inner * inner).replacing(with: .infinity, where: .!isInside))
    }
  }

  /// The squared distances up to which a slot is surely inside, and from which it is surely outside.
  @inline(__always)
  private func bounds(of number: Int) -> (inner: Float, outer: Float) {
    let block = surroundings.blocks[number / 8]
    let inner = max(block.chord[number % 8] - block.error[number % 8], 0)
    let outer = block.chord[number % 8] + block.error[number % 8]
    return (inner * inner, outer * outer)
  }

  /// Finds the distances between which nothing changes for a slot.
  @inline(__always)
  private mutating func settle(_ number: Int) {
    let (inner, outer) = bounds(of: number)
    let isInside = inside[surroundings.slots[number]]
    // Written as single numbers: to set one lane of a vector of eight takes far longer.
    unsafe quiet.withMutableElements { elements in
      let bytes = UnsafeMutableRawBufferPointer(elements)
      let offset =
        number / 8 * MemoryLayout<Quiet>.stride + number % 8 * MemoryLayout<Float>.stride
      unsafe bytes.storeBytes(of: isInside ? -1 : outer, toByteOffset: offset, as: Float.self)
      unsafe bytes.storeBytes(
        of: isInside ? inner : .infinity,
        toByteOffset: offset + MemoryLayout<Surroundings.Numbers>.stride, as: Float.self)
    }
  }

  @inline(__always)
  private mutating func compare(
    _ position: Coordinate, reach: Double, _ changed: (UInt32, Bool) -> Void
  ) {
    let offset = surroundings.frame.offset(of: position)
    let blocks = surroundings.blocksToCompare(at: offset, reach: reach)
    // What changed at the last position may change back, but nothing farther away did.
    let count = max(blocks, comparedBlocks)
    comparedBlocks = blocks
    let place = LocalFrame.Place(offset)
    var first = 0
    while let loud = loudBlock(from: first, to: count, place) {
      for lane in loud.lanes {
        take(loud.squared[lane], loud.number * 8 + lane, position, changed)
      }
      first = loud.number + 1
    }
    hasRoom = false
    if surroundings.isSparse {
      hasRoom = surroundings.findRoom(around: position, at: offset, reach: 0)
    }
  }

  /// The first of some blocks in which a slot may change.
  @inline(__always)
  private func loudBlock(
    from first: Int, to end: Int, _ place: LocalFrame.Place
  ) -> (number: Int, lanes: Lanes, squared: Surroundings.Numbers)? {
    precondition(end <= surroundings.blocks.count && end <= quiet.count)
    return unsafe surroundings.blocks.withElements { blocks in
      unsafe quiet.withElements { quiet in
        for number in first..<max(first, end) {
          let squared = unsafe blocks[number].squaredDistance(to: place)
          let lanes = Lanes(
            unsafe (squared .< quiet[number].least) .| (squared .> quiet[number].most))
          if !lanes.isEmpty { return (number, lanes, squared) }
        }
        return nil
      }
    }
  }

  /// Compares a slot whose distance lies beyond the bounds.
  private mutating func take(
    _ squared: Float, _ number: Int, _ position: Coordinate,
    _ changed: (UInt32, Bool) -> Void
  ) {
    let slot = surroundings.slots[number]
    let (inner, outer) = bounds(of: number)
    let isInside =
      squared < inner || squared <= outer && index.contains(position, slot)
    guard isInside != inside[slot] else { return }
    inside[slot] = isInside
    settle(number)
    changed(slot, isInside)
  }
}
