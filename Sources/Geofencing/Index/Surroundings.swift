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
    ///
    /// Far beyond the globe where there is no slot, or it is muted.
    var x = Numbers(repeating: Surroundings.nowhere)
    var y = Numbers()
    var z = Numbers()

    /// How long the chord of the radius is, in metres.
    var chord = Numbers()

    /// By how many metres the distance to the line may be wrong.
    var error = Numbers()

    /// Squared metres to the centres.
    @inline(__always)
    func squaredDistance(to x: Float, _ y: Float, _ z: Float) -> Numbers {
      let (dx, dy, dz) = (self.x - x, self.y - y, self.z - z)
      return dx * dx + dy * dy + dz * dz
    }
  }

  static let nowhere: Float = 1e15

  private(set) var blocks: ContiguousArray<Block> = []

  /// The slots of the blocks, in their order.
  private(set) var slots: ContiguousArray<UInt32> = []

  /// The circles that hold all around the position, with their lines far away.
  private(set) var covering: ContiguousArray<UInt32> = []

  private(set) var frame: LocalFrame?

  /// Where to look in the index; kept for its memory.
  private var lists: ContiguousArray<Range<UInt32>> = []
  private var near: ContiguousArray<CellIndex.Entry> = []
  private var candidates: ContiguousArray<Candidate> = []

  /// How many slots there are up to the end of each part.
  private var ends = ContiguousArray(repeating: 0, count: Self.parts)

  /// The distance in metres from the centre within which every line is known; less than 0 when nothing
  /// is known.
  private var radius = -1.0

  /// How far the next ones reach beyond what is asked for.
  private var horizon = 100.0

  /// What it took to look up, and to compare since, both in about nanoseconds.
  private var effort = (lookingUp: 0, comparing: 0)

  /// How many slots are compared with every position in any case.
  private static let most = 512

  /// Whether all lines within some metres of a position are known.
  @inline(__always)
  func holds(_ position: Coordinate, reach: Double) -> Bool {
    guard let frame, radius > reach else { return false }
    // A long way asks for far more than what follows needs.
    guard slots.count <= Self.most || radius <= 2 * (reach + horizon) else { return false }
    return frame.squaredBound(to: position) <= (radius - reach) * (radius - reach)
  }

  /// A slot among those that lie around, until they are looked up again.
  struct Number: BitwiseCopyable {
    let number: Int

    /// Of which looking up it is.
    fileprivate let generation: Int
    fileprivate let x: Float
  }

  /// How often they were looked up.
  private(set) var generation = 0

  /// Lets a slot seem far away.
  mutating func mute(_ number: Int) -> Number {
    let x = blocks[number / 8].x[number % 8]
    setX(of: number, to: Self.nowhere)
    return Number(number: number, generation: generation, x: x)
  }

  /// Lets a slot seem where it is again.
  mutating func unmute(_ number: Number) {
    guard number.generation == generation else { return }
    setX(of: number.number, to: number.x)
  }

  private mutating func setX(of number: Int, to x: Float) {
    unsafe blocks.withUnsafeMutableBytes {
      let offset = number / 8 * MemoryLayout<Block>.stride + number % 8 * MemoryLayout<Float>.stride
      unsafe $0.storeBytes(of: x, toByteOffset: offset, as: Float.self)
    }
  }

  /// Forgets everything.
  mutating func invalidate() { radius = -1 }

  /// Looks up what lies around a position.
  ///
  /// - Parameter reach: how near, in metres, lines matter.
  mutating func gather(around position: Coordinate, reach: Double, in index: SpatialIndex) {
    adjustHorizon()
    let frame = LocalFrame(at: position)
    self.frame = frame
    generation += 1
    radius = reach + horizon
    slots.removeAll(keepingCapacity: true)
    covering.removeAll(keepingCapacity: true)
    blocks.removeAll(keepingCapacity: true)
    sift(Reach(around: position, radius: radius), in: index)
    layOut(frame)
  }

  /// Looks as far as makes looking up as much work as comparing, but never farther than the frame is good
  /// for.
  private mutating func adjustHorizon() {
    let isTooNear = effort.lookingUp > effort.comparing
    horizon = min(max(horizon * (isTooNear ? 1.25 : 0.8), 15), LocalFrame.reach)
    if slots.count > Self.most { horizon = max(horizon / 2, 15) }
  }

  /// Into how many parts the slots are divided by how near their lines are.
  private static let parts = 16

  /// How many blocks have all lines within some metres of a place, and maybe others; less than all of
  /// them near the centre.
  ///
  /// It counts as work: see ``adjustHorizon()``.
  @inline(__always)
  mutating func blocksToCompare(at offset: LocalFrame.Offset, reach: Double) -> Int {
    let metres = offset.squaredLength.squareRoot() + reach + 0.01
    // What is no number is no distance: then it is all of them.
    let part =
      metres < radius
      ? min(Int(metres / radius * Double(Self.parts)), Self.parts - 1) : Self.parts - 1
    let count = (ends[part] + 7) / 8
    effort.comparing += 3 + 20 * count
    return count
  }

  /// Finds the entries that may be near, and the slots that cover all of the reach for sure.
  private mutating func sift(_ reach: Reach, in index: SpatialIndex) {
    lists.removeAll(keepingCapacity: true)
    near.removeAll(keepingCapacity: true)
    index.find(within: reach, &lists)
    var count = 0
    unsafe index.entries.withElements { entries in
      for list in lists {
        count += list.count
        var number = Int(list.lowerBound)
        let end = Int(list.upperBound)
        // Most are beyond, and four at once.
        while number + 4 <= end {
          var isBeyond = reach.isBeyond(
            unsafe UnsafeRawPointer(entries.baseAddress.unsafelyUnwrapped + number)
              .loadUnaligned(as: SIMD16<UInt32>.self))
          while isBeyond != 0xf {
            let lane = (~isBeyond).trailingZeroBitCount
            take(unsafe entries[number + lane], reach)
            isBeyond |= 1 << lane
          }
          number += 4
        }
        while number < end {
          take(unsafe entries[number], reach)
          number += 1
        }
      }
    }
    effort = (500 + 25 * lists.count + 4 * count + 25 * near.count, 0)
  }

  /// By how many metres a distance to a line may be wrong: by what the angles leave out, and what numbers
  /// of 32 bits do, and by how much more than the chord the geodesic may be.
  static func error(ofChord chord: Double, within radius: Double) -> Float {
    Float(0.015 + (chord + radius) * 1e-6 + SpatialIndex.tolerance(ofChord: chord))
  }

  @inline(__always)
  private mutating func take(_ entry: CellIndex.Entry, _ reach: Reach) {
    switch reach.relation(to: entry) {
    case .beyond: return
    case .covering: covering.append(entry.slot)
    case .near: near.append(entry)
    }
  }

  /// A slot that is near, before it has its place among the others.
  private struct Candidate: BitwiseCopyable {
    let slot: UInt32
    let part: UInt32
    let x: Float
    let y: Float
    let z: Float
    let chord: Float
    let error: Float
  }

  /// Lays those out side by side that are near indeed: those first whose lines are nearest.
  private mutating func layOut(_ frame: LocalFrame) {
    candidates.removeAll(keepingCapacity: true)
    var counts = ends
    for part in counts.indices { counts[part] = 0 }
    for entry in near {
      let center = frame.offset(of: entry.center)
      let chord = SpatialIndex.chord(of: Double(entry.radius))
      let distance = center.squaredLength.squareRoot()
      let error = Double(Self.error(ofChord: chord, within: radius))
      // How far from the line it is at least.
      let clearance =
        entry.isCircle ? abs(distance - chord) - error : max(distance - chord - error, 0)
      guard clearance <= radius else {
        if entry.isCircle, distance < chord { covering.append(entry.slot) }
        continue
      }
      let part = min(Int(max(clearance, 0) / radius * Double(Self.parts)), Self.parts - 1)
      counts[part] += 1
      candidates.append(
        Candidate(
          slot: entry.slot, part: UInt32(part), x: Float(center.outwards), y: Float(center.east),
          z: Float(center.northwards), chord: Float(chord), error: Float(error)))
    }
    var sum = 0
    for part in counts.indices {
      (counts[part], sum) = (sum, sum + counts[part])
      ends[part] = sum
    }
    slots.append(contentsOf: repeatElement(0, count: candidates.count))
    blocks.append(contentsOf: repeatElement(Block(), count: (candidates.count + 7) / 8))
    unsafe blocks.withUnsafeMutableBytes { bytes in
      for candidate in candidates {
        let number = counts[Int(candidate.part)]
        counts[Int(candidate.part)] += 1
        slots[number] = candidate.slot
        // As numbers by themselves: to set one of eight takes as long as all of the rest.
        var offset = number / 8 * MemoryLayout<Block>.stride
        offset += number % 8 * MemoryLayout<Float>.stride
        func add(_ value: Float) {
          unsafe bytes.storeBytes(of: value, toByteOffset: offset, as: Float.self)
          offset += MemoryLayout<Numbers>.stride
        }
        add(candidate.x)
        add(candidate.y)
        add(candidate.z)
        add(candidate.chord)
        add(candidate.error)
      }
    }
  }
}
