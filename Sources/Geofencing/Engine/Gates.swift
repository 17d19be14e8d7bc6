/// What of the awake conditions says whether a fix changes anything, eight of them side by side.
///
/// Nothing happens where a fix is surely inside of what is satisfied already, and where it is surely too
/// close to the line to say.
struct Gates: Sendable {
  private typealias Numbers = Surroundings.Numbers

  /// Eight conditions: where they are in the frame, in metres; far beyond the globe where there is none.
  private struct Block: BitwiseCopyable {
    var x = Numbers(repeating: Surroundings.nowhere)
    var y = Numbers()
    var z = Numbers()

    /// The chord of the radius, where nothing happens deep inside and where nothing does at the line; less
    /// than any otherwise.
    var openInside = Numbers(repeating: -.infinity)
    var openAtLine = Numbers(repeating: -.infinity)

    /// By how many metres the distance to the line may be wrong.
    var error = Numbers()
  }

  /// The rows of a block.
  private enum Row: Int {
    case x, y, z, openInside, openAtLine, error
  }

  /// An awake condition.
  struct Gate: BitwiseCopyable {
    let entry: CellIndex.Entry

    /// Where it is in space.
    let place: SpatialIndex.Place

    /// Where it is muted in the surroundings of the last fix.
    var muted: Surroundings.Number?

    /// Whether nothing happens deep inside, and at the line.
    fileprivate var isOpenInside = false
    fileprivate var isOpenAtLine = false

    var slot: UInt32 { entry.slot }
  }

  private var blocks: ContiguousArray<Block> = []

  /// The conditions, in the order of the blocks.
  private(set) var gates: ContiguousArray<Gate> = []

  private var frame: LocalFrame?

  /// The generation of the surroundings that the frame is of.
  private var generation = -1

  var count: Int { gates.count }

  subscript(number: Int) -> Gate {
    @inline(__always) get { gates[number] }
  }

  /// Adds a condition, which is never passed until it is updated.
  mutating func append(_ entry: CellIndex.Entry, at place: SpatialIndex.Place) {
    let number = gates.count
    gates.append(Gate(entry: entry, place: place))
    if number % 8 == 0 { blocks.append(Block()) }
    set(.openInside, of: number, to: -.infinity)
    set(.openAtLine, of: number, to: -.infinity)
    locate(number)
  }

  /// Takes note of where one is muted among the surroundings.
  mutating func mute(_ number: Int, as place: Surroundings.Number) { gates[number].muted = place }

  /// Takes one away, whose number the last one gets.
  ///
  /// - Returns: the slot of the last one, unless that is the one.
  mutating func remove(at number: Int) -> UInt32? {
    let last = gates.removeLast()
    let end = gates.count
    if number < end {
      gates[number] = last
      unsafe blocks.withUnsafeMutableBytes { bytes in
        for row in 0..<6 {
          let value = unsafe bytes.load(fromByteOffset: Self.offset(row, end), as: Float.self)
          unsafe bytes.storeBytes(of: value, toByteOffset: Self.offset(row, number), as: Float.self)
        }
      }
    }
    if end % 8 == 0 { blocks.removeLast() } else { set(.x, of: end, to: Surroundings.nowhere) }
    return number < end ? last.slot : nil
  }

  /// Takes note of what was judged.
  ///
  /// - Parameter isPlain: whether it is a circle without an altitude or a confidence of its own.
  @inline(__always)
  mutating func update(_ number: Int, _ watch: ConditionWatch, isPlain: Bool) {
    let isAtLine = isPlain && !watch.isHeldByStanding
    let isInside =
      isAtLine && watch.state == .satisfied && watch.candidate == nil && watch.gapBegan == nil
    if isInside != gates[number].isOpenInside || isAtLine != gates[number].isOpenAtLine {
      open(number, inside: isInside, atLine: isAtLine)
    }
  }

  private mutating func open(_ number: Int, inside: Bool, atLine: Bool) {
    gates[number].isOpenInside = inside
    gates[number].isOpenAtLine = atLine
    let chord = Float(SpatialIndex.chord(of: Double(gates[number].entry.radius)))
    set(.openInside, of: number, to: inside ? chord : -.infinity)
    set(.openAtLine, of: number, to: atLine ? chord : -.infinity)
  }

  /// Finds all anew where the positions to come are compared in another frame.
  mutating func move(to frame: LocalFrame, of generation: Int) {
    guard self.generation != generation else { return }
    self.generation = generation
    self.frame = frame
    for number in gates.indices { locate(number) }
  }

  private mutating func locate(_ number: Int) {
    guard let frame else { return }
    let entry = gates[number].entry
    let center = frame.offset(of: entry.center)
    set(.x, of: number, to: Float(center.outwards))
    set(.y, of: number, to: Float(center.east))
    set(.z, of: number, to: Float(center.northwards))
    let chord = SpatialIndex.chord(of: Double(entry.radius))
    set(.error, of: number, to: Surroundings.error(ofChord: chord, within: LocalFrame.reach))
  }

  /// Writes a number by itself: to set one of eight takes as long as all of the rest.
  @inline(__always)
  private mutating func set(_ row: Row, of number: Int, to value: Float) {
    unsafe blocks.withUnsafeMutableBytes {
      unsafe $0.storeBytes(
        of: value, toByteOffset: Self.offset(row.rawValue, number), as: Float.self)
    }
  }

  private static func offset(_ row: Int, _ number: Int) -> Int {
    number / 8 * MemoryLayout<Block>.stride + row * MemoryLayout<Numbers>.stride
      + number % 8 * MemoryLayout<Float>.stride
  }

  /// Which of eight conditions a fix may change.
  ///
  /// - Parameters:
  ///   - group: their first one's number, divided by eight.
  ///   - offset: where the fix is taken to be.
  ///   - zone: the zone by the confidence that conditions have by default.
  ///   - isGap: whether something is missing before it.
  @inline(__always)
  func loud(
    in group: Int, at offset: LocalFrame.Offset, _ zone: UndecidedZone, isGap: Bool
  ) -> SIMDMask<SIMD8<Int32>> {
    let block = blocks[group]
    let dx = block.x - Float(offset.outwards)
    let dy = block.y - Float(offset.east)
    let dz = block.z - Float(offset.northwards)
    let distance = (dx * dx + dy * dy + dz * dz).squareRoot()
    let isThere = distance .< Surroundings.nowhere / 2
    let straight = Float(zone.straightFrom)
    let isInside =
      (distance + block.error + Float(zone.halfWidth) .<= block.openInside)
      .& (block.openInside .>= straight)
    guard !isGap else { return isThere .& .!isInside }
    let beside = distance - block.openAtLine
    // A metre beside a large circle is a little more along the ground than in a straight line.
    let half =
      (Float(zone.halfWidthSurely) - 2 * block.error)
      * (1 - block.openAtLine * block.openAtLine * 1e-14)
    let isAtLine =
      (beside .< half) .& (beside .> -half) .& (block.openAtLine .>= straight)
    return isThere .& .!(isInside .| isAtLine)
  }
}
