/// Finds the entries near a position, and lays them out as the blocks of ``Surroundings``; kept for its memory.
///
/// Entries are looked at four and eight at a time, with 32-bit numbers.
struct Gathering: Sendable {
  private typealias Block = Surroundings.Block
  private typealias Numbers = Surroundings.Numbers

  /// The lists of the index to look at.
  private var lists: ContiguousArray<Range<UInt32>> = []

  /// The entries that aren't surely too far away, filled up to a multiple of eight.
  private var near = Column<CellIndex.Entry>()
  private var count = 0

  /// The same entries by where they are in the frame, and the part of the surroundings that each belongs to.
  private var blocks = Column<Surroundings.Block>()
  private var parts = Column<SIMD8<UInt8>>()

  /// How many slots each part has; the last number counts those that belong to no part.
  private var counts = ContiguousArray(repeating: 0, count: Surroundings.parts + 1)

  /// About how many nanoseconds the work took.
  private(set) var effort = 0

  /// Finds the entries that may be near.
  mutating func find(within reach: Reach, in index: SpatialIndex) {
    lists.removeAll(keepingCapacity: true)
    index.find(within: reach, &lists)
    var candidates = 0
    for list in lists { candidates += list.count }
    // At most one more is written than is kept, and no more are kept than there are.
    near.resize(to: candidates + 8)
    let (lists, sieve) = (lists, reach.sieve)
    count = unsafe near.withMutableElements { near in
      var count = 0
      unsafe index.entries.withElements { entries in
        for list in lists {
          unsafe Self.sift(
            entries, Int(list.lowerBound)..<Int(list.upperBound), sieve, to: near, &count)
        }
      }
      return count
    }
    effort = 300 + 20 * lists.count + 3 * candidates + 12 * count
  }

  /// Copies those entries of a list that aren't surely too far away.
  @inline(__always)
  private static func sift(
    _ entries: UnsafeBufferPointer<CellIndex.Entry>, _ list: Range<Int>, _ sieve: Reach.Sieve?,
    to near: UnsafeMutableBufferPointer<CellIndex.Entry>, _ count: inout Int
  ) {
    var number = list.lowerBound
    if let sieve {
      // Entries behind the list may be read, but aren't kept.
      let end = min(list.upperBound, entries.count - 3)
      while number < end {
        var isBeyond = sieve.isBeyond(
          unsafe UnsafeRawPointer(entries.baseAddress.unsafelyUnwrapped + number)
            .loadUnaligned(as: SIMD16<UInt32>.self))
        let rest = list.upperBound - number
        if rest < 4 { isBeyond |= 0xf << rest }
        // All are written, and those that are too far away are overwritten by the next ones.
        for lane in 0..<4 {
          unsafe near[count] = entries[number + lane]
          count += ~isBeyond >> lane & 1
        }
        number += 4
      }
    }
    while number < list.upperBound {
      unsafe near[count] = entries[number]
      count += 1
      number += 1
    }
  }

  /// Lays out the entries that really are near, those with the nearest lines first.
  ///
  /// - Parameters:
  ///   - radius: the distance in metres from the frame's centre within which lines matter.
  ///   - covering: is filled with the circles that hold everything within that distance.
  ///   - ends: is set to the number of slots up to the end of each part.
  mutating func layOut(
    _ frame: LocalFrame, _ radius: Double, _ laidOut: inout Column<Surroundings.Block>,
    _ slots: inout Column<UInt32>, _ covering: inout ContiguousArray<UInt32>,
    _ ends: inout ContiguousArray<Int>
  ) {
    locate(in: frame, radius, &covering)
    var sum = 0
    for part in ends.indices {
      // From here on this is the place of the part's next slot.
      (counts[part], sum) = (sum, sum + counts[part])
      ends[part] = sum
    }
    slots.resize(to: sum)
    laidOut.resize(to: (sum + 7) / 8)
    if sum > 0 { laidOut[laidOut.count - 1] = Surroundings.Block() }
    unsafe slots.withMutableElements { slots in
      unsafe laidOut.withMutableElements { unsafe scatter(to: $0, slots) }
    }
  }

  /// Copies each entry to the next place of its part.
  @inline(__always)
  private mutating func scatter(
    to laidOut: UnsafeMutableBufferPointer<Surroundings.Block>,
    _ slots: UnsafeMutableBufferPointer<UInt32>
  ) {
    let (near, blocks, parts, count) = (near, blocks, parts, count)
    unsafe counts.withUnsafeMutableBufferPointer { next in
      unsafe near.withElements { near in
        unsafe blocks.withElements { blocks in
          let parts = unsafe parts.withElements { UnsafeRawBufferPointer($0) }
          let source = UnsafeRawBufferPointer(blocks)
          let target = UnsafeMutableRawBufferPointer(laidOut)
          for number in 0..<count {
            let part = Int(unsafe parts[number])
            guard part < Surroundings.parts else { continue }
            let place = unsafe next[part]
            unsafe next[part] = place + 1
            unsafe slots[place] = near[number].slot
            let (from, to) = (Block.offset(of: number), Block.offset(of: place))
            // Copied as single numbers: to set one lane of a vector of eight takes as long as all the rest.
            for row in 0..<Block.rows {
              let offset = row * MemoryLayout<Numbers>.stride
              let value = unsafe source.load(fromByteOffset: from + offset, as: UInt32.self)
              unsafe target.storeBytes(of: value, toByteOffset: to + offset, as: UInt32.self)
            }
          }
        }
      }
    }
  }

  /// Finds where every entry is, and the part that it belongs to.
  private mutating func locate(
    in frame: LocalFrame, _ radius: Double, _ covering: inout ContiguousArray<UInt32>
  ) {
    let groups = (count + 7) / 8
    near.resize(to: groups * 8)
    blocks.resize(to: groups)
    parts.resize(to: groups)
    for part in counts.indices { counts[part] = 0 }
    for group in 0..<groups {
      let entries = unsafe near.withElements { near in
        unsafe UnsafeRawPointer(near.baseAddress.unsafelyUnwrapped + group * 8)
          .loadUnaligned(as: SIMD32<UInt32>.self)
      }
      let (even, odd) = (entries.evenHalf, entries.oddHalf)
      let place = frame.offsets(latitude: even.evenHalf, longitude: odd.evenHalf)
      let signed = unsafe unsafeBitCast(even.oddHalf, to: Numbers.self)
      let reach = unsafe unsafeBitCast(even.oddHalf & 0x7fff_ffff, to: Numbers.self)
      var block = Block(x: place.outwards, y: place.east, z: place.northwards)
      // The same formulas as in Chord.length(ofGeodesic:) and Surroundings.error(ofChord:within:).
      let angle = reach * Float(0.5 / Chord.radius)
      let square = angle * angle
      let curving = 1 - square * Float(1.0 / 20)
      let chord = reach * (1 - square * Float(1.0 / 6) * curving)
      let cube = chord * chord * chord
      block.chord = chord
      block.error =
        chord * Float(1e-6) + Float(0.015 + radius * 1e-6 + 1e-6) + cube * Float(1.1e-17)
      let distance = (block.x * block.x + block.y * block.y + block.z * block.z).squareRoot()
      // A lower bound of the distance from the line.
      let beside = distance - block.chord
      let isCircle = signed .> 0
      let toLine = beside.replacing(with: -beside, where: (beside .< 0) .& isCircle) - block.error
      let clearance = toLine.replacing(with: 0, where: toLine .< 0)
      blocks[group] = block
      let isValid = Self.lanes .< Float(count - group * 8)
      let isFar = (place.isFar .| (reach .> Self.longest)) .& isValid
      let isNear = (clearance .<= Float(radius)) .& isValid .& .!isFar
      var part = Self.whole(clearance * Float(Double(Surroundings.parts) / radius))
      part.replace(with: UInt32(Surroundings.parts), where: .!isNear)
      parts[group] = SIMD8<UInt8>(truncatingIfNeeded: part)
      for lane in Lanes(isCircle .& (beside .< 0) .& .!isNear .& isValid .& .!isFar) {
        covering.append(near[group * 8 + lane].slot)
      }
      for lane in Lanes(isFar) {
        locateFar(group * 8 + lane, in: frame, radius, &covering)
        effort += 100
      }
      var bytes = unsafe unsafeBitCast(parts[group], to: UInt64.self)
      for _ in 0..<8 {
        counts[Int(bytes & 0xff)] += 1
        bytes >>= 8
      }
    }
  }

  /// The longest radius in metres whose chord 32-bit numbers can tell.
  private static let longest: Float = 40_000

  /// Floating-point numbers, as comparing eight integers would be a loop.
  private static var lanes: Numbers {
    @inline(__always) get { Numbers(0, 1, 2, 3, 4, 5, 6, 7) }
  }

  /// The integer parts of numbers, limited to 0 and the last part.
  @inline(__always)
  private static func whole(_ numbers: Numbers) -> SIMD8<UInt32> {
    // Numbers from 2²³ on have no fraction.
    let positive = (numbers - 0.5).replacing(with: 0, where: numbers .< 0.5)
    let rounded = positive.replacing(with: 15, where: positive .> 15) + 8_388_608
    return unsafe unsafeBitCast(rounded, to: SIMD8<UInt32>.self) & 0x7f_ffff
  }

  /// Finds where an entry is, and its part, if it is too far away or too large for 32-bit numbers.
  private mutating func locateFar(
    _ number: Int, in frame: LocalFrame, _ radius: Double,
    _ covering: inout ContiguousArray<UInt32>
  ) {
    let entry = near[number]
    let center = frame.offset(of: entry.center)
    let chord = Chord.length(ofGeodesic: Double(entry.radius))
    let distance = center.squaredLength.squareRoot()
    let error = Surroundings.error(ofChord: chord, within: radius)
    let clearance =
      (entry.isCircle ? abs(distance - chord) : max(distance - chord, 0)) - Double(error)
    guard clearance <= radius else {
      if entry.isCircle, distance < chord { covering.append(entry.slot) }
      return
    }
    var block = blocks[number / 8]
    let lane = number % 8
    (block.x[lane], block.y[lane], block.z[lane]) = (
      Float(center.outwards), Float(center.east), Float(center.northwards)
    )
    (block.chord[lane], block.error[lane]) = (Float(chord), error)
    blocks[number / 8] = block
    let part = max(clearance, 0) / radius * Double(Surroundings.parts)
    parts[number / 8][lane] = UInt8(min(part, Double(Surroundings.parts - 1)))
  }
}
