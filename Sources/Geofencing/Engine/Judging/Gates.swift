/// What of the awake conditions says whether a fix changes anything, eight of them side by side.
///
/// Nothing happens where a fix is surely inside of what is satisfied already, and where it is surely too
/// close to the line to say.
struct Gates: Sendable {
  private typealias Numbers = Surroundings.Numbers

  /// Eight conditions: where they are in the frame, in metres, and between which squared distances nothing
  /// happens.
  private struct Block: BitwiseCopyable {
    var x = Numbers()
    var y = Numbers()
    var z = Numbers()

    /// No numbers where there is no condition: no distance is beyond them.
    var low = Numbers(repeating: .nan)
    var high = Numbers(repeating: .nan)

    /// Squared metres to the centres.
    @inline(__always)
    func squaredDistance(to place: LocalFrame.Place) -> Numbers {
      let (dx, dy, dz) = (x - place.x, y - place.y, z - place.z)
      return dx * dx + dy * dy + dz * dz
    }
  }

  /// The rows of a block.
  private enum Row: Int, CaseIterable {
    case x, y, z, low, high
  }

  private var blocks = Column<Block>()

  /// The conditions, in the order of the blocks.
  private(set) var gates: ContiguousArray<Gate> = []

  private var frame = LocalFrame(at: .nowhere)

  /// The generation of the surroundings that the frame is of.
  private var generation = -1

  /// By what the blocks are bounded.
  private var zone = UndecidedZone(deviations: 0, sigma: 0)

  var count: Int { gates.count }

  subscript(number: Int) -> Gate {
    @inline(__always) get { gates[number] }
  }

  /// Adds a condition, which is never passed until it is updated.
  mutating func append(_ entry: CellIndex.Entry, at place: SpatialIndex.Place) {
    if gates.count % 8 == 0 { blocks.append(Block()) }
    gates.append(Gate(entry, at: place))
    locate(gates.count - 1)
  }

  /// Takes note of where one is muted among the surroundings.
  mutating func mute(_ number: Int, as place: Surroundings.MutedSlot) {
    gates[number].muted = place
  }

  /// Takes one away, whose number the last one gets.
  ///
  /// - Returns: the slot of the last one, unless that is the one.
  mutating func remove(at number: Int) -> UInt32? {
    let end = gates.count - 1
    let last = gates[end]
    gates[number] = last
    gates.removeLast()
    unsafe blocks.withMutableElements { blocks in
      let bytes = UnsafeMutableRawBufferPointer(blocks)
      for row in Row.allCases {
        let value = unsafe bytes.load(fromByteOffset: Self.offset(row, end), as: Float.self)
        unsafe bytes.storeBytes(of: value, toByteOffset: Self.offset(row, number), as: Float.self)
      }
    }
    if end % 8 == 0 {
      _ = blocks.popLast()
    } else {
      write { $0.quiet((.nan, .nan), of: end) }
    }
    return number < end ? last.slot : nil
  }

  /// Takes note of what was judged.
  ///
  /// - Parameter isPlain: whether it is a circle without an altitude or a confidence of its own.
  @inline(__always)
  mutating func update(_ number: Int, _ watch: ConditionWatch, isPlain: Bool) {
    let isAtLine = isPlain && watch.isUnmovedAtLine
    let isInside = isAtLine && watch.state == .satisfied && watch.gapBegan == nil
    guard isInside != gates[number].isOpenInside || isAtLine != gates[number].isOpenAtLine else {
      return
    }
    open(number, inside: isInside, atLine: isAtLine)
  }

  /// Lets fixes pass by inside and at the line, or not.
  private mutating func open(_ number: Int, inside: Bool, atLine: Bool) {
    gates[number].isOpenInside = inside
    gates[number].isOpenAtLine = atLine
    let quiet = gates[number].quiet(zone)
    write { $0.quiet(quiet, of: number) }
  }

  /// Lets fixes pass by where a shape that isn't a circle is known to hold all around; whether there is
  /// such a place.
  ///
  /// - Parameters:
  ///   - core: how far the edge is from the middle of the shape. Where the position is deep enough inside
  ///     by that alone, fixes pass all around the middle.
  ///   - deviations: from how many standard deviations inside on a position is believed.
  ///   - usual: as many beside a straight line.
  mutating func open(
    _ number: Int, in clearance: Clearance, core: Clearance?, deviations: Double,
    beside usual: Double
  ) -> Bool {
    let caution = max(deviations - usual, 0.01) / Judgement.straightInSigmas
    let deepest = -(zone.halfWidth + caution * zone.straightFrom)
    if let core, core.metres(at: clearance.position, in: frame) + deepest > 1 {
      open(number, within: core.metres, of: core.position, caution: caution)
      return true
    }
    guard clearance.metres + deepest > 0 else { return false }
    open(number, within: clearance.metres, of: clearance.position, caution: caution)
    return true
  }

  private mutating func open(
    _ number: Int, within metres: Double, of position: Coordinate, caution: Double
  ) {
    replace(number, around: position, radius: metres, caution: caution)
    gates[number].isOpenInside = true
    locate(number)
  }

  /// Lets fixes pass by where they are surely too close to the edge of a shape that isn't a circle to say,
  /// or not.
  ///
  /// - Parameter slack: nil lets none pass.
  mutating func open(_ number: Int, atLine clearance: Clearance, slack: Clearance.Slack?) {
    let metres = abs(clearance.distance)
    guard let slack, metres + Double(slack.metres) < zone.halfWidthSurely else {
      gates[number].edge = nil
      return open(number, inside: false, atLine: false)
    }
    replace(number, around: clearance.position, radius: Self.farthestAtLine)
    gates[number].edge = (Float(metres), slack)
    locate(number)
  }

  /// As many metres as are worth to be known of the surroundings of a position at the line.
  private static let farthestAtLine = 1000.0

  /// Puts a circle in the place of what isn't one.
  private mutating func replace(
    _ number: Int, around position: Coordinate, radius: Double, caution: Double = 0
  ) {
    var gate = Gate(
      CellIndex.Entry(
        gates[number].slot, at: BinaryAngles(position), radius: radius, isCircle: true),
      at: gates[number].place, caution: Float(caution))
    gate.muted = gates[number].muted
    gates[number] = gate
  }

  /// Whether nothing has to be found anew.
  @inline(__always)
  func areBounded(in generation: Int, by zone: UndecidedZone) -> Bool {
    self.generation == generation && self.zone == zone
  }

  /// Finds all anew where the positions to come are compared in another frame, or with another accuracy.
  mutating func move(to frame: LocalFrame, of generation: Int, with zone: UndecidedZone) {
    self.zone = zone
    guard self.generation != generation else {
      return write { [gates] set in
        for number in gates.indices { set.quiet(gates[number].quiet(zone), of: number) }
      }
    }
    self.generation = generation
    self.frame = frame
    for number in gates.indices { locate(number) }
  }

  /// Finds out where one is in the frame, and where nothing happens.
  private mutating func locate(_ number: Int) {
    let center = frame.offset(of: gates[number].entry.center)
    let quiet = gates[number].quiet(zone)
    write { set in
      set(.x, of: number, to: Float(center.outwards))
      set(.y, of: number, to: Float(center.east))
      set(.z, of: number, to: Float(center.northwards))
      set.quiet(quiet, of: number)
    }
  }

  /// Writes numbers by themselves: to set one of eight takes as long as all of the rest.
  ///
  /// It is safe as nobody keeps it longer than ``write(_:)`` lends it, and as each number that is written was
  /// read from ``gates`` before, which has no more of them than the blocks have room for.
  @safe
  private struct Setter {
    let bytes: UnsafeMutableRawBufferPointer

    @inline(__always)
    func callAsFunction(_ row: Row, of number: Int, to value: Float) {
      unsafe bytes.storeBytes(of: value, toByteOffset: Gates.offset(row, number), as: Float.self)
    }

    @inline(__always)
    func quiet(_ quiet: (low: Float, high: Float), of number: Int) {
      self(.low, of: number, to: quiet.low)
      self(.high, of: number, to: quiet.high)
    }
  }

  @inline(__always)
  private mutating func write(_ body: (Setter) -> Void) {
    unsafe blocks.withMutableElements { blocks in
      unsafe body(Setter(bytes: UnsafeMutableRawBufferPointer(blocks)))
    }
  }

  @inline(__always)
  private static func offset(_ row: Row, _ number: Int) -> Int {
    number / 8 * MemoryLayout<Block>.stride + row.rawValue * MemoryLayout<Numbers>.stride
      + number % 8 * MemoryLayout<Float>.stride
  }

  // MARK: Finding

  /// Finds the conditions that a fix may change.
  ///
  /// - Parameters:
  ///   - place: where in the frame the fix is taken to be.
  ///   - loud: is given their numbers.
  @inline(__always)
  func find(at place: LocalFrame.Place, _ loud: inout Column<UInt32>) {
    unsafe blocks.withElements { blocks in
      for group in blocks.indices {
        let squared = unsafe blocks[group].squaredDistance(to: place)
        let isLoud = unsafe (squared .< blocks[group].low) .| (squared .> blocks[group].high)
        for lane in Lanes(isLoud) { loud.append(UInt32(group * 8 + lane)) }
      }
    }
  }

  /// The same where something is missing before the fix: only deep inside nothing happens then.
  @inline(never)
  func findAfterGap(at place: LocalFrame.Place, _ loud: inout Column<UInt32>) {
    for number in gates.indices {
      let deepest = gates[number].deepest(zone)
      let squared = blocks[number / 8].squaredDistance(to: place)[number % 8]
      if deepest < 0 || squared > deepest * deepest { loud.append(UInt32(number)) }
    }
  }
}
