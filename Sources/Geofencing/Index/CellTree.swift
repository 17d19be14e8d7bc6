/// Where on the globe the slots are: cells that are halved where they hold many.
///
/// A slot stands in every cell that it touches, in cells about as large as itself: what may reach a
/// position stands on the one way from the whole globe down to the smallest cell around it. Cells are
/// halved across their longer side, so that the poles need no care, and longitudes are compared on the
/// circle, so that the antimeridian needs none.
struct CellTree: Sendable {
  private struct Node: BitwiseCopyable {
    /// The lower half, which the upper one follows; none when 0, which is the root.
    var halves: UInt32 = 0

    /// The radius in metres from which a slot stays in the cell instead of standing in its halves.
    var largest: Float = 0

    var slots = SlotLists.List()

    /// Whether the halves lie beside each other, and not one above the other.
    var isCutByMeridian = false

    init(_ cell: Cell) {
      let (height, width) = cell.size
      isCutByMeridian = width > height
      largest = Float(max(width, height) * CellTree.largestShare)
    }
  }

  private var nodes = Column<Node>()
  private var lists = SlotLists()

  /// Pairs of nodes that hold nothing and wait for another cell to be halved.
  private var free: [UInt32] = []

  /// How many slots a cell holds before it is halved.
  private static let capacity: UInt32 = 24

  /// A slot stays in a cell when its radius is more than this share of the longer side.
  private static let largestShare = 0.6

  init() { nodes.append(Node(Cell())) }

  /// How many bytes it takes.
  var bytes: Int { nodes.bytes + lists.bytes + free.capacity * 4 }

  /// Adds a slot, which isn't there.
  ///
  /// - Parameter caps: says where a slot is, also one that was added before.
  mutating func insert(_ slot: UInt32, caps: (UInt32) -> Cap) {
    insert(slot, caps(slot), at: 0, Cell(), caps)
  }

  private mutating func insert(
    _ slot: UInt32, _ cap: Cap, at node: UInt32, _ cell: Cell, _ caps: (UInt32) -> Cap
  ) {
    guard cap.touches(cell) else { return }
    let here = nodes[node]
    if here.halves != 0, cap.radius <= Double(here.largest) {
      let (lower, upper) = cell.halves(byMeridian: here.isCutByMeridian)
      insert(slot, cap, at: here.halves, lower, caps)
      insert(slot, cap, at: here.halves + 1, upper, caps)
      return
    }
    var list = here.slots
    lists.append(slot, to: &list)
    nodes[node].slots = list
    if here.halves == 0, list.count > Self.capacity { halve(node, cell, caps) }
  }

  /// Halves a cell, which holds few slots, and hands down those that are small.
  private mutating func halve(_ node: UInt32, _ cell: Cell, _ caps: (UInt32) -> Cap) {
    var list = nodes[node].slots
    let slots = (0..<list.count).map { lists.slot($0, of: list) }
    lists.release(&list)
    nodes[node].slots = list
    let (lower, upper) = cell.halves(byMeridian: nodes[node].isCutByMeridian)
    let halves: UInt32
    if let pair = free.popLast() {
      halves = pair
      nodes[pair] = Node(lower)
      nodes[pair + 1] = Node(upper)
    } else {
      halves = UInt32(nodes.count)
      nodes.append(Node(lower))
      nodes.append(Node(upper))
    }
    nodes[node].halves = halves
    for slot in slots { insert(slot, caps(slot), at: node, cell, caps) }
  }

  /// Takes a slot away.
  mutating func remove(_ slot: UInt32, _ cap: Cap) { remove(slot, cap, at: 0, Cell()) }

  private mutating func remove(_ slot: UInt32, _ cap: Cap, at node: UInt32, _ cell: Cell) {
    guard cap.touches(cell) else { return }
    let here = nodes[node]
    guard here.halves != 0, cap.radius <= Double(here.largest) else {
      var list = here.slots
      lists.remove(slot, from: &list)
      nodes[node].slots = list
      return
    }
    let (lower, upper) = cell.halves(byMeridian: here.isCutByMeridian)
    remove(slot, cap, at: here.halves, lower)
    remove(slot, cap, at: here.halves + 1, upper)
    // Empty halves go, so that what moves about leaves no cells behind.
    if isEmptyLeaf(here.halves), isEmptyLeaf(here.halves + 1) {
      nodes[node].halves = 0
      free.append(here.halves)
    }
  }

  private func isEmptyLeaf(_ node: UInt32) -> Bool {
    nodes[node].halves == 0 && nodes[node].slots.count == 0
  }

  /// Hands over the slots that may lie within a cap, some of them more than once.
  ///
  /// It goes through plain memory: what it calls for each slot must not change this tree.
  @inline(__always)
  func forEach(touching cap: Cap, _ body: (UInt32) -> Void) {
    unsafe nodes.withElements { nodes in
      unsafe lists.withElements { slots in
        // A cell's halves wait while the first is looked into: so many are enough, as cells of a metre are
        // never halved.
        unsafe withUnsafeTemporaryAllocation(of: (UInt32, Cell).self, capacity: 128) { waiting in
          unsafe waiting[0] = (0, Cell())
          var count = 1
          while count > 0 {
            count -= 1
            let (number, cell) = unsafe waiting[count]
            let node = unsafe nodes[Int(number)]
            let first = Int(node.slots.offset)
            for index in first..<first + Int(node.slots.count) { body(unsafe slots[index]) }
            guard node.halves != 0, count + 2 <= waiting.count else { continue }
            let (lower, upper) = cell.halves(byMeridian: node.isCutByMeridian)
            if cap.touches(upper) {
              unsafe waiting[count] = (node.halves + 1, upper)
              count += 1
            }
            if cap.touches(lower) {
              unsafe waiting[count] = (node.halves, lower)
              count += 1
            }
          }
        }
      }
    }
  }
}
