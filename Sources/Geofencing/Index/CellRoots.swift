/// The nodes of the largest cells, by size, row and column.
///
/// It is a hash table by ``LinearHashing``.
struct CellRoots: Sendable {
  /// The exponent of the size, the row and the column of a cell.
  struct Key: BitwiseCopyable, Equatable {
    fileprivate let bits: UInt32

    init(size: Int, row: Int, column: UInt64) {
      bits = UInt32(size) << 26 | UInt32(row) << 14 | UInt32(column)
    }

    fileprivate init(bits: UInt32) { self.bits = bits }

    var size: Int { Int(bits >> 26) }
    var row: Int { Int(bits >> 14 & 0xfff) }
    var column: UInt64 { UInt64(bits & 0x3fff) }
  }

  private struct Root: BitwiseCopyable {
    var key: UInt32
    var node: UInt32
    /// The next root in the same place of the table.
    var next: UInt32
  }

  private var roots = Column<Root>()
  private var free = Column<UInt32>()

  /// The first root at each place.
  private var first = Column<UInt32>()
  private(set) var count = 0

  /// Random, so that nobody can choose conditions whose cells all share a place.
  private let factor = UInt64.random(in: .min ... .max) | 1

  private static let none = UInt32.max

  init() { first.append(Self.none) }

  /// How many bytes the table takes.
  var bytes: Int { roots.bytes + free.bytes + first.bytes }

  /// The node of a cell; nil if there is none.
  subscript(key: Key) -> UInt32? {
    @inline(__always) get {
      var root = first[place(of: key.bits)]
      while root != Self.none {
        let found = roots[root]
        if found.key == key.bits { return found.node }
        root = found.next
      }
      return nil
    }
    set {
      if let newValue { insert(key.bits, newValue) } else { remove(key.bits) }
    }
  }

  /// All cells and their nodes, in no order.
  var all: some Sequence<(key: Key, node: UInt32)> {
    (0..<first.count).lazy.flatMap { [self] place in
      sequence(first: first[place]) { roots[$0].next }.prefix { $0 != Self.none }
        .map { (key: Key(bits: roots[$0].key), node: roots[$0].node) }
    }
  }

  @inline(__always)
  private func place(of key: UInt32) -> Int {
    let hash = Int(truncatingIfNeeded: ((UInt64(key) &+ 1) &* factor) >> 32)
    return LinearHashing.place(of: hash, among: first.count)
  }

  private mutating func insert(_ key: UInt32, _ node: UInt32) {
    count += 1
    if count > first.count { addPlace() }
    let place = place(of: key)
    let root = Root(key: key, node: node, next: first[place])
    if let number = free.popLast() {
      roots[number] = root
      first[place] = number
    } else {
      first[place] = UInt32(roots.count)
      roots.append(root)
    }
  }

  private mutating func remove(_ key: UInt32) {
    let place = place(of: key)
    var before = Self.none
    var root = first[place]
    while root != Self.none, roots[root].key != key { (before, root) = (root, roots[root].next) }
    guard root != Self.none else { return }
    if before == Self.none {
      first[place] = roots[root].next
    } else {
      roots[before].next = roots[root].next
    }
    free.append(root)
    count -= 1
  }

  /// Adds a place to the table, and moves the roots there that belong in it.
  private mutating func addPlace() {
    let divided = LinearHashing.divided(among: first.count)
    var root = first[divided]
    first[divided] = Self.none
    first.append(Self.none)
    while root != Self.none {
      let following = roots[root].next
      let place = place(of: roots[root].key)
      roots[root].next = first[place]
      first[place] = root
      root = following
    }
  }
}
