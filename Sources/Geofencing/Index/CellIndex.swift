/// Entries by where they are on the globe: in cells by their centres, separately for each size of radius.
///
/// A cell with many entries is quartered, so that near a position few others are looked at. Every entry is in one cell
/// only: to find those that reach a position, cells within the largest radius of the size are looked at.
struct CellIndex: Sendable {
  /// The circle of a condition, or a circle around any other shape.
  struct Entry: BitwiseCopyable {
    let center: BinaryAngles

    /// The radius in metres, rounded up; negative if the condition isn't a circle.
    private let signedRadius: Float

    let slot: UInt32

    init(_ slot: UInt32, at center: BinaryAngles, radius: Double, isCircle: Bool) {
      self.slot = slot
      self.center = center
      let radius = Float(radius).nextUp
      signedRadius = isCircle ? radius : -radius
    }

    @inline(__always)
    var radius: Float { abs(signedRadius) }

    @inline(__always)
    var isCircle: Bool { signedRadius > 0 }

    /// The exponent of the least power of two that isn't less than the radius in metres, 0 to 25.
    fileprivate var size: Int {
      // By the bits of the number: the library's function isn't inlined.
      let bits = radius.bitPattern
      let exponent = Int(bits >> 23) - 127 + (bits & 0x7f_ffff == 0 ? 0 : 1)
      return min(max(exponent, 0), 25)
    }
  }

  private struct Node: BitwiseCopyable {
    /// The number of the first of its four quarters, which follow each other; 0 if it isn't quartered.
    var quarters: UInt32 = 0
    var entries = Lists<Entry>.List()
  }

  private var roots = CellRoots()
  private var nodes = Column<Node>()
  private(set) var entries = Lists<Entry>()

  /// How many entries there are of each size, and a bit for each size that has any.
  private var counts = [Int](repeating: 0, count: 26)
  private var sizes: UInt32 = 0

  /// Nodes that aren't used, single ones and the first ones of four.
  private var freeNodes = Column<UInt32>()
  private var freeQuarters = Column<UInt32>()

  /// How many entries a cell holds before it is quartered.
  private static let capacity: UInt32 = 32

  init() { nodes.append(Node()) }

  /// How many bytes the index takes.
  var bytes: Int {
    roots.bytes + nodes.bytes + entries.bytes + freeNodes.bytes + freeQuarters.bytes
  }

  /// Adds an entry whose slot isn't in the index.
  mutating func insert(_ entry: Entry) {
    let size = entry.size
    let rows = CellRows(size: size)
    let (row, column) = rows.place(of: entry.center)
    counts[size] += 1
    sizes |= 1 << size
    let key = CellRoots.Key(size: size, row: row, column: column)
    var node = roots[key] ?? begin(key)
    var cell = rows.cell(row, column)
    while true {
      let quarters = nodes[node].quarters
      guard quarters != 0 else { break }
      let quarter = cell.quarter(of: entry.center)
      node = quarters + quarter
      cell = cell.quarter(quarter)
    }
    add(entry, to: node)
    if nodes[node].entries.count > Self.capacity { quarter(node, cell, size) }
  }

  private mutating func begin(_ key: CellRoots.Key) -> UInt32 {
    let node: UInt32
    if let free = freeNodes.popLast() {
      node = free
    } else {
      node = UInt32(nodes.count)
      nodes.append(Node())
    }
    roots[key] = node
    return node
  }

  private mutating func add(_ entry: Entry, to node: UInt32) {
    var list = nodes[node].entries
    entries.append(entry, to: &list)
    nodes[node].entries = list
  }

  /// Moves the entries of a cell to its quarters, and on if they all lie in one of these.
  private mutating func quarter(_ node: UInt32, _ cell: Cell, _ size: Int) {
    // Cells that are small beside the radius, or beside a unit, aren't worth quartering.
    guard cell.height > 128, cell.metres * 8 > Float(1 << size) else { return }
    let first: UInt32
    if let free = freeQuarters.popLast() {
      first = free
    } else {
      first = UInt32(nodes.count)
      nodes.append(Node(), count: 4)
    }
    var list = nodes[node].entries
    for index in list.range {
      let entry = entries[index]
      add(entry, to: first + cell.quarter(of: entry.center))
    }
    entries.release(&list)
    nodes[node] = Node(quarters: first, entries: list)
    for number in 0..<UInt32(4) where nodes[first + number].entries.count > Self.capacity {
      quarter(first + number, cell.quarter(number), size)
    }
  }

  /// Removes an entry.
  mutating func remove(_ entry: Entry) {
    let rows = CellRows(size: entry.size)
    let (row, column) = rows.place(of: entry.center)
    let key = CellRoots.Key(size: entry.size, row: row, column: column)
    guard let root = roots[key] else { return }
    counts[entry.size] -= 1
    if counts[entry.size] == 0 { sizes &= ~(1 << entry.size) }
    remove(entry, from: root, rows.cell(row, column))
    guard isEmpty(root) else { return }
    roots[key] = nil
    freeNodes.append(root)
  }

  private mutating func remove(_ entry: Entry, from node: UInt32, _ cell: Cell) {
    let quarters = nodes[node].quarters
    guard quarters != 0 else {
      var list = nodes[node].entries
      entries.removeFirst(from: &list) { $0.slot == entry.slot }
      nodes[node].entries = list
      return
    }
    let quarter = cell.quarter(of: entry.center)
    remove(entry, from: quarters + quarter, cell.quarter(quarter))
    // Empty quarters are removed, as conditions may move about.
    if (quarters..<quarters + 4).allSatisfy(isEmpty) {
      nodes[node].quarters = 0
      freeQuarters.append(quarters)
    }
  }

  private func isEmpty(_ node: UInt32) -> Bool {
    nodes[node].quarters == 0 && nodes[node].entries.count == 0
  }

  /// Finds the lists of entries that may be within a reach.
  ///
  /// - Parameter found: the ranges of these lists in ``entries`` are added to it.
  func find(within reach: Reach, _ found: inout ContiguousArray<Range<UInt32>>) {
    var rest = sizes
    while rest != 0 {
      let size = rest.trailingZeroBitCount
      rest &= rest - 1
      let rows = CellRows(size: size)
      let window = reach.window(ofRadius: Double(1 << size))
      let (first, last) = (rows.row(at: window.south), rows.row(at: window.north))
      // If all the roots are fewer than the cells to look for, all are looked through.
      if (last - first + 1) * Int(window.columns(of: rows, in: (first + last) / 2).count)
        > 4 * roots.count
      {
        for (key, root) in roots.all where key.size == size {
          let cell = rows.cell(key.row, key.column)
          if window.touches(cell) { find(root, cell, window, &found) }
        }
        continue
      }
      for row in first...last {
        let columns = window.columns(of: rows, in: row)
        var column = columns.first
        for _ in 0..<columns.count {
          if let root = roots[CellRoots.Key(size: size, row: row, column: column)] {
            find(root, rows.cell(row, column), window, &found)
          }
          column += 1
          if column == columns.inRow { column = 0 }
        }
      }
    }
  }

  private func find(
    _ number: UInt32, _ cell: Cell, _ window: CellWindow,
    _ found: inout ContiguousArray<Range<UInt32>>
  ) {
    let node = nodes[number]
    if node.entries.count > 0 { found.append(node.entries.range) }
    guard node.quarters != 0 else { return }
    for number in 0..<UInt32(4) {
      let quarter = cell.quarter(number)
      if window.touches(quarter) { find(node.quarters + number, quarter, window, &found) }
    }
  }
}
