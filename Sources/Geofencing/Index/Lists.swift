/// Many lists, most of them short, in one piece of memory.
///
/// A list lies in a block of one of a few sizes. If it outgrows the block it moves to a larger one, and the old block
/// is kept for another list.
struct Lists<Element: BitwiseCopyable>: Sendable {
  /// Where a list is; only valid with the lists that it belongs to.
  struct List: BitwiseCopyable {
    fileprivate(set) var offset: UInt32 = 0
    fileprivate(set) var count: UInt32 = 0

    /// The index of the block's size plus one; 0 if it has no block.
    fileprivate var size: UInt8 = 0

    /// The range of its elements among those of all lists.
    var range: Range<UInt32> { offset..<offset + count }
  }

  private var memory = Column<Element>()

  /// The free blocks of each size.
  private var free: [Column<UInt32>]

  init() { free = blockSizes.map { _ in Column<UInt32>() } }

  /// How many bytes the lists take.
  var bytes: Int { memory.bytes + free.reduce(0) { $0 + $1.bytes } }

  /// Adds an element to a list.
  mutating func append(_ element: Element, to list: inout List) {
    if list.size == 0 || list.count == blockSizes[Int(list.size) - 1] { grow(&list) }
    memory[list.offset + list.count] = element
    list.count += 1
  }

  /// Removes the first element of which something is true from a list, and changes the list's order.
  mutating func removeFirst(from list: inout List, where isMeant: (Element) -> Bool) {
    for index in 0..<list.count where isMeant(memory[list.offset + index]) {
      list.count -= 1
      memory[list.offset + index] = memory[list.offset + list.count]
      if list.count == 0 { release(&list) }
      return
    }
  }

  /// An element by its place among those of all lists; see ``List/range``.
  @inline(__always)
  subscript(index: UInt32) -> Element { memory[index] }

  /// Reads all lists at once; see ``List/range``.
  @inline(__always)
  func withElements(_ body: (UnsafeBufferPointer<Element>) -> Void) {
    unsafe memory.withElements(body)
  }

  /// Frees the block of a list, which is empty then.
  mutating func release(_ list: inout List) {
    guard list.size > 0 else { return }
    free[Int(list.size) - 1].append(list.offset)
    list = List()
  }

  private mutating func grow(_ list: inout List) {
    let size = Int(list.size)
    let old = list
    if let offset = free[size].popLast() {
      list.offset = offset
    } else {
      precondition(memory.count < Int(UInt32.max) - Int(blockSizes[size]))
      list.offset = UInt32(memory.count)
      memory.resize(to: memory.count + Int(blockSizes[size]))
    }
    list.size = UInt8(size + 1)
    memory.move(from: Int(old.offset), to: Int(list.offset), count: Int(old.count))
    if old.size > 0 { free[size - 1].append(old.offset) }
  }
}

/// How many elements a block holds, each size about a third more than the one before.
private let blockSizes: [UInt32] = {
  var sizes: [UInt32] = [1]
  while let last = sizes.last, last < 1 << 30 { sizes.append(last + max(1, last / 3)) }
  return sizes
}()
