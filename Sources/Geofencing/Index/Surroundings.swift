/// What lies around a position, side by side: good for all positions near it.
///
/// Of millions of slots only a few have their line nearby. They are looked up once in a while, when the
/// position has moved far enough, and compared with every position in between: eight at once, by numbers
/// of 32 bits and with the error that these may have.
struct Surroundings: Sendable {
  /// Eight numbers, one of each slot.
  typealias Numbers = SIMD8<Float>

  /// Eight slots: where they are from the centre of the frame, in metres.
  struct Block: BitwiseCopyable {
    /// Outwards from the axis of the Earth, in metres.
    ///
    /// Far beyond the globe where there is no slot, or it is muted.
    var x = Numbers(repeating: Surroundings.nowhere)
    var y = Numbers()
    var z = Numbers()

    /// How long the chord of the radius is, in metres.
    var chord = Numbers()

    /// By how many metres the distance to the line may be wrong.
    var error = Numbers()

    /// How many of these there are.
    static let rows = 5

    /// Where a slot's first number is among many blocks, in bytes.
    @inline(__always)
    static func offset(of number: Int) -> Int {
      number / 8 * MemoryLayout<Block>.stride + number % 8 * MemoryLayout<Float>.stride
    }

    /// Squared metres to the centres.
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

  /// The circles that hold all around the position, with their lines far away.
  private(set) var covering: ContiguousArray<UInt32> = []

  /// What the slots are in; of no position until ``isKnown``.
  private(set) var frame = LocalFrame(at: .nowhere)

  private var gathering = Gathering()

  /// How many slots there are up to the end of each part.
  private var ends = ContiguousArray(repeating: 0, count: Self.parts)

  /// The distance in metres from the centre within which every line is known; less than 0 when nothing
  /// is known.
  private var radius = -1.0

  /// Where there is no line: how many metres around a position; less than 0 where that isn't known.
  private var room = (center: Coordinate.nowhere, radius: -1.0)

  /// Whether lines are so far from each other that it saves work to know the room between them.
  private(set) var isSparse = false

  /// How far the next ones reach beyond what is asked for.
  private var horizon = 100.0

  /// What it took to look up, and to compare since, both in about nanoseconds.
  private var effort = (lookingUp: 0, comparing: 0)

  /// How many slots are compared with every position in any case.
  private static let most = 512

  /// Whether all lines within some metres of a position are known.
  @inline(__always)
  func holds(_ position: Coordinate, reach: Double) -> Bool {
    guard radius > reach else { return false }
    // A long way asks for far more than what follows needs.
    guard slots.count <= Self.most || radius <= 2 * (reach + horizon) else { return false }
    return frame.squaredBound(to: position) <= (radius - reach) * (radius - reach)
  }

  /// Whether there is surely no line within some metres of a position, by the room that was found last.
  @inline(__always)
  func hasRoom(around position: Coordinate, reach: Double) -> Bool {
    let rest = room.radius - reach
    return rest > 0 && frame.squaredBound(from: room.center, to: position) < rest * rest
  }

  /// Finds out how far around a position there is no line, as far as ``LocalFrame/reach``.
  ///
  /// All slots have to be circles, and those that are muted don't count.
  ///
  /// - Parameter reach: how near, in metres, lines matter.
  /// - Returns: whether there is any room.
  mutating func findRoom(
    around position: Coordinate, at offset: LocalFrame.Offset, reach: Double
  ) -> Bool {
    let place = LocalFrame.Place(offset)
    let length = offset.squaredLength.squareRoot()
    let part = part(within: length + reach + Self.wantedRoom)
    // The parts that aren't looked at begin there.
    var least = Double(part + 1) / Double(Self.parts) * radius - 0.02 - length
    for group in 0..<(ends[part] + 7) / 8 {
      let block = blocks[group]
      let beside = block.squaredDistance(to: place).squareRoot() - block.chord
      let toLine = beside.replacing(with: -beside, where: beside .< 0) - block.error
      least = min(least, Double(toLine.min()))
    }
    // Only as far can be told how far away a position is at most.
    room = (position, min(least, LocalFrame.reach - length))
    return room.radius > 0
  }

  /// How many metres of room are looked for, and from how many on it saves anything.
  private static let wantedRoom = 200.0
  private static let leastRoom = 50.0

  /// A slot among those that lie around, until they are looked up again.
  struct MutedSlot: BitwiseCopyable {
    let number: Int

    /// Of which looking up it is.
    fileprivate let generation: Int
    fileprivate let x: Float
  }

  /// Whether they were looked up once.
  @inline(__always)
  var isKnown: Bool { generation > 0 }

  /// How often they were looked up.
  private(set) var generation = 0

  /// Lets a slot seem far away.
  mutating func mute(_ number: Int) -> MutedSlot {
    let x = blocks[number / 8].x[number % 8]
    setX(of: number, to: Self.nowhere)
    return MutedSlot(number: number, generation: generation, x: x)
  }

  /// Lets a slot seem where it is again.
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

  /// Forgets everything.
  mutating func invalidate() {
    radius = -1
    room.radius = -1
  }

  /// Looks up what lies around a position.
  ///
  /// - Parameter reach: how near, in metres, lines matter.
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

  /// Looks as far as makes looking up as much work as comparing, but never farther than the frame is good
  /// for.
  private mutating func adjustHorizon() {
    let isTooNear = effort.lookingUp > effort.comparing
    horizon = min(max(horizon * (isTooNear ? 1.25 : 0.8), 15), LocalFrame.reach)
    if slots.count > Self.most { horizon = max(horizon / 2, 15) }
  }

  /// Into how many parts the slots are divided by how near their lines are.
  static let parts = 16

  /// Finds what is near a place: circles that it is inside of, or closer to than some metres.
  ///
  /// - Parameters:
  ///   - reach: within how many metres no line may be missing; what has its line farther away may be.
  ///   - metres: how close outside of a line the place has to be.
  ///   - near: is given their numbers.
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

  /// The line of a slot by itself.
  struct Line {
    fileprivate let x: Float
    fileprivate let y: Float
    fileprivate let z: Float
    fileprivate let outer: Float

    /// How many metres a place outside of it is away at least; less than 0 inside, and maybe at the line.
    @inline(__always)
    func clearance(of offset: LocalFrame.Offset) -> Double {
      let place = LocalFrame.Place(offset)
      let (dx, dy, dz) = (x - place.x, y - place.y, z - place.z)
      return Double((dx * dx + dy * dy + dz * dz).squareRoot() - outer)
    }
  }

  /// The line of one of those that lie around.
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

  /// How many blocks have all lines within some metres of a place, and maybe others; less than all of
  /// them near the centre.
  ///
  /// It counts as work: see ``adjustHorizon()``.
  @inline(__always)
  mutating func blocksToCompare(at offset: LocalFrame.Offset, reach: Double) -> Int {
    let metres = offset.squaredLength.squareRoot() + reach + LocalFrame.margin
    let count = (ends[part(within: metres)] + 7) / 8
    effort.comparing += 3 + 10 * count
    return count
  }

  /// The last part with lines within some metres of the centre.
  @inline(__always)
  private func part(within metres: Double) -> Int {
    // What is no number is no distance: then it is all of them.
    metres < radius
      ? min(Int(metres / radius * Double(Self.parts)), Self.parts - 1) : Self.parts - 1
  }

  /// By how many metres a distance to a line may be wrong: by what the angles leave out, and what numbers
  /// of 32 bits do, and by how much more than the chord the geodesic may be.
  static func error(ofChord chord: Double, within radius: Double) -> Float {
    Float(0.015 + (chord + radius) * 1e-6 + Chord.tolerance(of: chord))
  }
}
