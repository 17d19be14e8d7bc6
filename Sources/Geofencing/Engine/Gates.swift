/// What of the awake conditions says whether a fix changes anything, eight of them side by side.
///
/// Nothing happens where a fix is surely inside of what is satisfied already, and where it is surely too
/// close to the line to say.
struct Gates: Sendable {
  private typealias Numbers = Surroundings.Numbers

  /// Eight conditions: where they are in the frame, in metres.
  private struct Block: BitwiseCopyable {
    var x = Numbers()
    var y = Numbers()
    var z = Numbers()

    /// Between which squared distances nothing happens; what is no number is any, where there is none.
    var low = Numbers(repeating: .nan)
    var high = Numbers(repeating: .nan)

    /// The chord of the radius, where nothing happens deep inside and where nothing does at the line; less
    /// than any otherwise, and no number where there is none.
    var openInside = Numbers(repeating: .nan)
    var openAtLine = Numbers(repeating: .nan)

    /// By how many metres the distance to the line may be wrong.
    var error = Numbers()

    /// How much farther inside than of a circle a position has to be to be believed.
    ///
    /// It is a share of the radius from which a circle's line counts as straight; 0 of a circle.
    var caution = Numbers()

    /// Finds between which distances nothing happens.
    @inline(__always)
    mutating func bound(by zone: UndecidedZone) {
      // A metre beside a large circle is a little more along the ground than in a straight line.
      let half =
        (Float(zone.halfWidthSurely) - 2 * error) * (1 - openAtLine * openAtLine * 1e-14)
      let (inner, outer) = (openAtLine - half, openAtLine + half)
      low = inner * inner
      high = outer * outer
      // From deep inside to the line: on the way it can't be told, or is inside still.
      low.replace(with: -1, where: openInside .>= 0)
      let isShut = (openAtLine .< Float(zone.straightFrom)) .| (inner .> outer) .| (outer .< 0)
      low.replace(with: .infinity, where: isShut)
      // Where too little is known of the line, deep inside is still that.
      let deep = deepest(zone)
      let isDeep = isShut .& (deep .>= 0)
      low.replace(with: -1, where: isDeep)
      high.replace(with: deep * deep, where: isDeep)
    }

    /// The largest distance in metres at which something is surely inside; less than 0 where there is none
    /// or that changes something.
    @inline(__always)
    func deepest(_ zone: UndecidedZone) -> Numbers {
      let straightFrom = Float(zone.straightFrom)
      let isStraight = (openInside .>= straightFrom) .| (caution .> 0)
      let margin = error + Float(zone.halfWidth) + caution * straightFrom
      return (openInside - margin).replacing(with: -1, where: .!isStraight)
    }
  }

  /// The rows of a block.
  private enum Row: Int, CaseIterable {
    case x, y, z, low, high, openInside, openAtLine, error, caution
  }

  /// An awake condition.
  struct Gate: BitwiseCopyable {
    /// It, or the circle within it in which nothing happens.
    fileprivate(set) var entry: CellIndex.Entry

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

  private var frame = LocalFrame(at: Coordinate(checkedLatitude: 0, longitude: 0))

  /// The generation of the surroundings that the frame is of.
  private var generation = -1

  /// By what the blocks are bounded.
  private var zone = UndecidedZone(deviations: 0, sigma: 0)

  var count: Int { gates.count }

  /// How many blocks of eight there are.
  var groupCount: Int { blocks.count }

  subscript(number: Int) -> Gate {
    @inline(__always) get { gates[number] }
  }

  /// Adds a condition, which is never passed until it is updated.
  mutating func append(_ entry: CellIndex.Entry, at place: SpatialIndex.Place) {
    let number = gates.count
    gates.append(Gate(entry: entry, place: place))
    if number % 8 == 0 { blocks.append(Block()) }
    locate(number)
    set(.caution, of: number, to: 0)
    shut(number)
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
        for row in 0..<Row.allCases.count {
          let value = unsafe bytes.load(fromByteOffset: Self.offset(row, end), as: Float.self)
          unsafe bytes.storeBytes(of: value, toByteOffset: Self.offset(row, number), as: Float.self)
        }
      }
    }
    if end % 8 == 0 {
      blocks.removeLast()
    } else {
      set(.low, of: end, to: .nan)
      set(.high, of: end, to: .nan)
      set(.openInside, of: end, to: .nan)
      set(.openAtLine, of: end, to: .nan)
    }
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
    guard isInside != gates[number].isOpenInside || isAtLine != gates[number].isOpenAtLine else {
      return
    }
    if isAtLine { open(number, inside: isInside) } else { shut(number) }
  }

  /// Lets every fix change it.
  @inline(__always)
  private mutating func shut(_ number: Int) {
    gates[number].isOpenInside = false
    gates[number].isOpenAtLine = false
    set(.openInside, of: number, to: -.infinity)
    set(.openAtLine, of: number, to: -.infinity)
    set(.low, of: number, to: .infinity)
  }

  /// Lets fixes pass by at the line, and maybe inside.
  private mutating func open(_ number: Int, inside: Bool) {
    gates[number].isOpenInside = inside
    gates[number].isOpenAtLine = true
    let chord = Float(SpatialIndex.chord(of: Double(gates[number].entry.radius)))
    set(.openInside, of: number, to: inside ? chord : -.infinity)
    set(.openAtLine, of: number, to: chord)
    blocks[number / 8].bound(by: zone)
  }

  /// Lets fixes pass by where a shape that isn't a circle is known to hold all around.
  ///
  /// - Parameters:
  ///   - deviations: from how many standard deviations inside on a position is believed.
  ///   - usual: as many beside a straight line.
  mutating func open(
    _ number: Int, in clearance: Clearance, deviations: Double, beside usual: Double
  ) {
    guard clearance.metres > 0 else { return shut(number) }
    let position = clearance.position
    gates[number].entry = CellIndex.Entry(
      gates[number].slot,
      at: BinaryAngles(latitude: position.latitude, longitude: position.longitude),
      radius: clearance.metres, isCircle: true)
    gates[number].isOpenInside = true
    gates[number].isOpenAtLine = false
    locate(number)
    set(
      .caution, of: number,
      to: Float(max(deviations - usual, 0.01) / Judgement.straightInSigmas))
    set(.openInside, of: number, to: Float(SpatialIndex.chord(of: clearance.metres)))
    set(.openAtLine, of: number, to: -.infinity)
    blocks[number / 8].bound(by: zone)
  }

  /// Whether nothing has to be found anew.
  @inline(__always)
  func areBounded(in generation: Int, by zone: UndecidedZone) -> Bool {
    self.generation == generation && self.zone == zone
  }

  /// Finds all anew where the positions to come are compared in another frame, or with another accuracy.
  mutating func move(to frame: LocalFrame, of generation: Int, with zone: UndecidedZone) {
    if self.generation != generation {
      self.generation = generation
      self.frame = frame
      for number in gates.indices { locate(number) }
    }
    self.zone = zone
    for number in blocks.indices { blocks[number].bound(by: zone) }
  }

  private mutating func locate(_ number: Int) {
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

  /// Which of eight conditions a fix may change, unless something is missing before it.
  ///
  /// - Parameters:
  ///   - group: their first one's number, divided by eight.
  ///   - x: where in the frame the fix is taken to be.
  @inline(__always)
  func loud(in group: Int, at x: Float, _ y: Float, _ z: Float) -> SIMDMask<SIMD8<Int32>> {
    let block = blocks[group]
    let (dx, dy, dz) = (block.x - x, block.y - y, block.z - z)
    let squared = dx * dx + dy * dy + dz * dz
    return (squared .< block.low) .| (squared .> block.high)
  }

  /// The same where something is missing before the fix: only deep inside nothing happens then.
  func loudAfterGap(
    in group: Int, at x: Float, _ y: Float, _ z: Float
  ) -> SIMDMask<SIMD8<Int32>> {
    let block = blocks[group]
    let (dx, dy, dz) = (block.x - x, block.y - y, block.z - z)
    let squared = dx * dx + dy * dy + dz * dz
    let deep = block.deepest(zone)
    // What is no number is where there is none.
    return .!((deep .>= 0) .& (squared .<= deep * deep)) .& (block.openAtLine .== block.openAtLine)
  }
}
