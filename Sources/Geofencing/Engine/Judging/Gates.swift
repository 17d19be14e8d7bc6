/// The numbers by which fixes are compared with the awake conditions, eight at a time.
///
/// They say whether a fix may change anything. Nothing happens where a fix is surely inside a condition that is
/// satisfied already, and where it is surely too close to the line to say.
struct Gates: Sendable {
  private typealias Numbers = Surroundings.Numbers

  /// Eight conditions: their centres in the frame, in metres, and the squared distances between which nothing happens.
  private struct Block: BitwiseCopyable {
    var x = Numbers()
    var y = Numbers()
    var z = Numbers()

    /// Not a number where there is no condition: no distance is less or greater.
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

  /// The generation of the surroundings that the frame belongs to.
  private var generation = -1

  /// The undecided zone by which the blocks were bounded.
  private var zone = UndecidedZone(deviations: 0, sigma: 0)

  var count: Int { gates.count }

  subscript(number: Int) -> Gate {
    @inline(__always) get { gates[number] }
  }

  /// Adds a condition, against which every fix is judged until ``update(_:_:isPlain:)`` lets some pass.
  mutating func append(_ entry: CellIndex.Entry, at place: SpatialIndex.Place) {
    if gates.count % 8 == 0 { blocks.append(Block()) }
    gates.append(Gate(entry, at: place))
    locate(gates.count - 1)
  }

  /// Notes where a condition is muted among the surroundings.
  mutating func mute(_ number: Int, as place: Surroundings.MutedSlot) {
    gates[number].muted = place
  }

  /// Removes a condition; the last one takes its number.
  ///
  /// - Returns: the slot of the condition that was the last one; nil if that is the removed one.
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

  /// Notes what happens to a condition after a fix was judged.
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

  /// Sets whether fixes deep inside a condition, and at its line, may be passed over.
  private mutating func open(_ number: Int, inside: Bool, atLine: Bool) {
    gates[number].isOpenInside = inside
    gates[number].isOpenAtLine = atLine
    let quiet = gates[number].quiet(zone)
    write { $0.quiet(quiet, of: number) }
  }

  /// Lets fixes be passed over where a shape that isn't a circle surely holds everything around.
  ///
  /// - Parameters:
  ///   - clearance: how far the edge is from the last position.
  ///   - core: how far the edge is from the middle of the shape. If that alone says that the position is deep enough
  ///     inside, fixes around the middle are passed over, otherwise fixes around the position.
  ///   - deviations: from how many standard deviations inside on a position is believed.
  ///   - usual: the same beside a straight line.
  /// - Returns: whether there is such a place.
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

  /// Lets fixes be passed over that are surely too close to the edge of a shape that isn't a circle to say.
  ///
  /// - Parameter slack: how much narrower the undecided zone may be; nil lets none be passed over.
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

  /// The radius in metres of the circle around a position at the line within which fixes are compared.
  private static let farthestAtLine = 1000.0

  /// Puts a circle in the place of a condition's shape.
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

  /// Whether the blocks are still right for a frame and a zone.
  @inline(__always)
  func areBounded(in generation: Int, by zone: UndecidedZone) -> Bool {
    self.generation == generation && self.zone == zone
  }

  /// Computes the blocks anew for another frame, or another accuracy.
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

  /// Computes where a condition is in the frame, and the distances between which nothing happens.
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

  /// Writes single numbers of the blocks: to set one lane of a vector of eight takes as long as all the rest.
  ///
  /// It is safe: it isn't kept after ``write(_:)`` returns, and each number it writes at is one of ``gates``, for all
  /// of which the blocks have room.
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
  ///   - loud: the numbers of these conditions are appended to it.
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

  /// Finds the conditions that a fix behind a gap may change: only deep inside nothing happens then.
  @inline(never)
  func findAfterGap(at place: LocalFrame.Place, _ loud: inout Column<UInt32>) {
    for number in gates.indices {
      let deepest = gates[number].deepest(zone)
      let squared = blocks[number / 8].squaredDistance(to: place)[number % 8]
      if deepest < 0 || squared > deepest * deepest { loud.append(UInt32(number)) }
    }
  }
}
