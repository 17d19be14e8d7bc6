/// The conditions around a position, laid out to be compared with all positions near it.
///
/// Of millions of slots only a few have their line nearby. They are looked up now and then, when the position has
/// moved far enough, and compared with every position in between: eight at once, with 32-bit numbers and the error
/// that these may have.
struct Surroundings: Sendable {
  /// One number for each of eight slots.
  typealias Numbers = SIMD8<Float>

  /// The centres of eight slots, from the centre of the frame in metres.
  struct Block: BitwiseCopyable {
    /// Outwards from the axis of the Earth, in metres.
    ///
    /// It is far beyond the globe for lanes without a slot, and for muted slots.
    var x = Numbers(repeating: Surroundings.nowhere)
    var y = Numbers()
    var z = Numbers()

    /// The chords of the radii in metres.
    var chord = Numbers()

    /// The largest errors in metres of the distances to the lines.
    var error = Numbers()

    /// How many such numbers a slot has.
    static let rows = 5

    /// The offset in bytes of a slot's first number among many blocks.
    @inline(__always)
    static func offset(of number: Int) -> Int {
      number / 8 * MemoryLayout<Block>.stride + number % 8 * MemoryLayout<Float>.stride
    }

    /// The squared distances to the centres, in square metres.
    @inline(__always)
    func squaredDistance(to place: LocalFrame.Place) -> Numbers {
      let (dx, dy, dz) = (x - place.x, y - place.y, z - place.z)
      return dx * dx + dy * dy + dz * dz
    }
  }

  static let nowhere: Float = 1e15

  private(set) var blocks = Column<Block>()

  /// The slots of the blocks, in their order.
  private(set) var slots = Column<UInt32>()

  /// The circles that hold everything around the position, with their lines far away.
  private(set) var covering: ContiguousArray<UInt32> = []

  /// The frame of the blocks; without meaning until ``isKnown``.
  private(set) var frame = LocalFrame(at: .nowhere)

  private var gathering = Gathering()

  /// How many slots there are up to the end of each part.
  private var ends = ContiguousArray(repeating: 0, count: Self.parts)

  /// The distance in metres from the centre within which all lines are known; less than 0 if none are.
  private var radius = -1.0

  /// A circle without a line in it: its centre and its radius in metres, which is less than 0 if none is known.
  private var room = (center: Coordinate.nowhere, radius: -1.0)

  /// Whether lines are so far apart that it saves work to know the room between them.
  private(set) var isSparse = false

  /// How many metres farther than asked for the next look-up reaches.
  private var horizon = 100.0

  /// How long the last look-up took, and comparing since, both in about nanoseconds.
  private var effort = (lookingUp: 0, comparing: 0)

  /// Up to how many slots are always compared with every position.
  private static let most = 512

  /// Whether all lines within some metres of a position are known.
  @inline(__always)
  func holds(_ position: Coordinate, reach: Double) -> Bool {
    guard radius > reach else { return false }
    // After a long way far more was looked up than the next positions need.
    guard slots.count <= Self.most || radius <= 2 * (reach + horizon) else { return false }
    return frame.squaredBound(to: position) <= (radius - reach) * (radius - reach)
  }

  /// Whether there is surely no line within some metres of a position, by the room that was found last.
  @inline(__always)
  func hasRoom(around position: Coordinate, reach: Double) -> Bool {
    let rest = room.radius - reach
    return rest > 0 && frame.squaredBound(from: room.center, to: position) < rest * rest
  }

  /// Finds out how far around a position there is no line, up to ``LocalFrame/reach``.
  ///
  /// All slots have to be circles; muted ones don't count.
  ///
  /// - Parameter reach: within how many metres lines matter.
  /// - Returns: whether there is any room.
  mutating func findRoom(
    around position: Coordinate, at offset: LocalFrame.Offset, reach: Double
  ) -> Bool {
    let place = LocalFrame.Place(offset)
    let length = offset.squaredLength.squareRoot()
    let part = part(within: length + reach + Self.wantedRoom)
    // The parts that aren't looked at begin at this distance.
    var least = Double(part + 1) / Double(Self.parts) * radius - 0.02 - length
    for group in 0..<(ends[part] + 7) / 8 {
      let block = blocks[group]
      let beside = block.squaredDistance(to: place).squareRoot() - block.chord
      let toLine = beside.replacing(with: -beside, where: beside .< 0) - block.error
      least = min(least, Double(toLine.min()))
    }
    // Beyond the frame's reach no distance can be told.
    room = (position, min(least, LocalFrame.reach - length))
    return room.radius > 0
  }

  /// How many metres of room are looked for, and from how many on knowing it saves work.
  private static let wantedRoom = 200.0
  private static let leastRoom = 50.0

  /// A muted slot, valid until the next look-up.
  struct MutedSlot: BitwiseCopyable {
    let number: Int

    /// The look-up that it belongs to.
    fileprivate let generation: Int
    fileprivate let x: Float
  }

  /// Whether anything was looked up yet.
  @inline(__always)
  var isKnown: Bool { generation > 0 }

  /// How many times the surroundings were looked up.
  private(set) var generation = 0

  /// Makes a slot seem far away.
  mutating func mute(_ number: Int) -> MutedSlot {
    let x = blocks[number / 8].x[number % 8]
    setX(of: number, to: Self.nowhere)
    return MutedSlot(number: number, generation: generation, x: x)
  }

  /// Makes a muted slot seem where it is again.
  mutating func unmute(_ number: MutedSlot) {
    guard number.generation == generation else { return }
    room.radius = -1
    setX(of: number.number, to: number.x)
  }

  private mutating func setX(of number: Int, to x: Float) {
    unsafe blocks.withMutableElements {
      unsafe UnsafeMutableRawBufferPointer($0).storeBytes(
        of: x, toByteOffset: Block.offset(of: number), as: Float.self)
    }
  }

  /// Forgets what is known, so that it is looked up anew.
  mutating func invalidate() {
    radius = -1
    room.radius = -1
  }

  /// Looks up what lies around a position.
  ///
  /// - Parameter reach: within how many metres lines matter.
  mutating func gather(around position: Coordinate, reach: Double, in index: SpatialIndex) {
    adjustHorizon()
    frame = LocalFrame(at: position)
    generation += 1
    radius = reach + horizon
    covering.removeAll(keepingCapacity: true)
    gathering.find(within: Reach(around: position, radius: radius), in: index)
    gathering.layOut(frame, radius, &blocks, &slots, &covering, &ends)
    isSparse = radius >= Double(slots.count) * max(reach, Self.leastRoom)
    room.radius = -1
    effort = (gathering.effort, 0)
  }

  /// Adjusts how far a look-up reaches so that looking up takes as long as comparing.
  ///
  /// It is never farther than the frame may be used.
  private mutating func adjustHorizon() {
    let isTooNear = effort.lookingUp > effort.comparing
    horizon = min(max(horizon * (isTooNear ? 1.25 : 0.8), 15), LocalFrame.reach)
    if slots.count > Self.most { horizon = max(horizon / 2, 15) }
  }

  /// Into how many parts the slots are divided, by the distances of their lines.
  static let parts = 16

  /// Finds the circles around the position that a place is inside of, or closer to than some metres.
  ///
  /// - Parameters:
  ///   - reach: within how many metres no line may be missed; circles with lines farther away may be.
  ///   - metres: how close to a circle a place outside of it has to be.
  ///   - near: the numbers of these circles are appended to it.
  @inline(__always)
  mutating func find(
    within reach: Double, nearerThan metres: Double, of offset: LocalFrame.Offset,
    _ near: inout Column<UInt32>
  ) {
    let place = LocalFrame.Place(offset)
    let count = blocksToCompare(at: offset, reach: reach)
    let metres = Float(metres)
    precondition(count <= blocks.count)
    unsafe blocks.withElements { blocks in
      for group in 0..<count {
        let outer = unsafe blocks[group].chord + blocks[group].error + metres
        let squared = unsafe blocks[group].squaredDistance(to: place)
        let isNear = Lanes(squared .< outer * outer)
        for lane in isNear { near.append(UInt32(group * 8 + lane)) }
      }
    }
  }

  /// The line of a single slot.
  struct Line {
    fileprivate let x: Float
    fileprivate let y: Float
    fileprivate let z: Float
    fileprivate let outer: Float

    /// A lower bound of the metres from a place outside to the line; less than 0 inside, and maybe at the line.
    @inline(__always)
    func clearance(of offset: LocalFrame.Offset) -> Double {
      let place = LocalFrame.Place(offset)
      let (dx, dy, dz) = (x - place.x, y - place.y, z - place.z)
      return Double((dx * dx + dy * dy + dz * dz).squareRoot() - outer)
    }
  }

  /// The line of a slot by its number.
  @inline(__always)
  func line(of number: Int) -> Line {
    precondition(number < slots.count)
    return unsafe blocks.withElements { blocks in
      let bytes = UnsafeRawBufferPointer(blocks)
      let offset = Block.offset(of: number)
      func value(_ row: Int) -> Float {
        unsafe bytes.load(
          fromByteOffset: offset + row * MemoryLayout<Numbers>.stride, as: Float.self)
      }
      return Line(x: value(0), y: value(1), z: value(2), outer: value(3) + value(4))
    }
  }

  /// How many blocks have to be compared for all lines within some metres of a place; near the centre not all of them.
  ///
  /// It is counted as work: see ``adjustHorizon()``.
  @inline(__always)
  mutating func blocksToCompare(at offset: LocalFrame.Offset, reach: Double) -> Int {
    let metres = offset.squaredLength.squareRoot() + reach + LocalFrame.margin
    let count = (ends[part(within: metres)] + 7) / 8
    effort.comparing += 3 + 10 * count
    return count
  }

  /// The last part that has lines within some metres of the centre.
  @inline(__always)
  private func part(within metres: Double) -> Int {
    // If it isn't a number, all parts are meant.
    metres < radius
      ? min(Int(metres / radius * Double(Self.parts)), Self.parts - 1) : Self.parts - 1
  }

  /// The largest error in metres of a distance to a line.
  ///
  /// It is the sum of what rounding the angles leaves, of that of 32-bit numbers, and of the difference between chord
  /// and geodesic.
  static func error(ofChord chord: Double, within radius: Double) -> Float {
    Float(0.015 + (chord + radius) * 1e-6 + Chord.tolerance(of: chord))
  }
}
