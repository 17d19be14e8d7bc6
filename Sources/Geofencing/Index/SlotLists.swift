/// Many lists of slots, most of them short, in one piece of memory.
///
/// A list lies in a block of one of a few sizes; when it outgrows that it moves to a larger one, and
/// the old block waits for another list.
struct SlotLists: Sendable {
  /// Where a list is; only good with the lists that it is one of.
  struct List: BitwiseCopyable {
    var offset: UInt32 = 0
    var count: UInt32 = 0

    /// The index of the block's size plus one; 0 is none.
    var size: UInt8 = 0
  }

  private var memory = Column<UInt32>()

  /// The first free block of each size; each holds the place of the next.
  private var free: [UInt32]

  /// How many slots a block holds, each about a third more than the one before.
  private static let sizes: [UInt32] = {
    var sizes: [UInt32] = [2]
    while let last = sizes.last, last < 1 << 30 { sizes.append(last + max(1, last / 3)) }
    return sizes
  }()

  private static let none = UInt32.max

  init() { free = Array(repeating: Self.none, count: Self.sizes.count) }

  /// How many bytes they take.
  var bytes: Int { memory.bytes }

  /// Adds a slot to a list.
  mutating func append(_ slot: UInt32, to list: inout List) {
    if list.size == 0 || list.count == Self.sizes[Int(list.size) - 1] { grow(&list) }
    memory[list.offset + list.count] = slot
    list.count += 1
  }

  /// Takes a slot from a list, whose order changes.
  mutating func remove(_ slot: UInt32, from list: inout List) {
    for index in 0..<list.count where memory[list.offset + index] == slot {
      list.count -= 1
      memory[list.offset + index] = memory[list.offset + list.count]
      if list.count == 0 { release(&list) }
      return
    }
  }

  /// The slot at a place of a list.
  @inline(__always)
  func slot(_ index: UInt32, of list: List) -> UInt32 { memory[list.offset + index] }

  /// Reads all lists at once: a list is what stands from its offset on.
  @inline(__always)
  func withElements(_ body: (UnsafeBufferPointer<UInt32>) -> Void) {
    unsafe memory.withElements(body)
  }

  /// Gives the block of a list back.
  mutating func release(_ list: inout List) {
    guard list.size > 0 else { return }
    memory[list.offset] = free[Int(list.size) - 1]
    free[Int(list.size) - 1] = list.offset
    list = List()
  }

  private mutating func grow(_ list: inout List) {
    let size = Int(list.size)
    let old = list
    if free[size] != Self.none {
      list.offset = free[size]
      free[size] = memory[list.offset]
    } else {
      precondition(memory.count < Int(UInt32.max) - Int(Self.sizes[size]))
      list.offset = UInt32(memory.count)
      memory.append(0, count: Int(Self.sizes[size]))
    }
    list.size = UInt8(size + 1)
    memory.move(from: Int(old.offset), to: Int(list.offset), count: Int(old.count))
    if old.size > 0 {
      memory[old.offset] = free[size - 1]
      free[size - 1] = old.offset
    }
  }
}
