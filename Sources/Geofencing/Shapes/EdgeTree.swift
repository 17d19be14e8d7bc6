/// Many edges, in an order and with boxes around them that spare looking at most.
///
/// A tree without pointers: leaves hold up to eight edges in a row, and each node above up to four
/// nodes in a row. Every node has a box of longitudes and latitudes, for counting the edges east of a
/// point, and one in space, for finding the closest. Rings lie in it whole, close ones side by side.
struct EdgeTree: Sendable {
  /// A row of vertices; each is joined to the next.
  struct Chain {
    var vertices: [EdgeCurve.End]

    /// Whether its edges are counted to tell inside from outside.
    var isRing: Bool

    /// Whether the edge from each vertex to the next is a boundary; nil when all are.
    var isBoundary: [Bool]?
  }

  private struct Leaf {
    /// The vertices from which its edges go to the next.
    let edges: Range<Int32>
    let isRing: Bool
    let isBoundary: Bool

    /// How far in metres one of them may be from its chord.
    let sag: Double
  }

  private struct Node {
    var rings = FlatBox()
    var boundary = SpaceBox()

    /// The first and the last vertex where all edges below are one chain that is counted.
    var chain: (first: Int32, last: Int32)?

    /// The first and one past the last below it: nodes of the level below, or leaves.
    let children: Range<Int32>
  }

  private let vertices: [EdgeCurve.End]
  private let leaves: [Leaf]

  /// All nodes, level after level: those of one leaf each first, in their order, the root last.
  private let nodes: [Node]

  /// How many edges a leaf has, and how many children another node: for so many ``closest(to:_:)`` has room.
  private static let edgesPerLeaf = 8
  private static let childrenPerNode = 4

  init(_ chains: [Chain]) {
    var vertices: [EdgeCurve.End] = []
    var leaves: [Leaf] = []
    vertices.reserveCapacity(chains.reduce(0) { $0 + $1.vertices.count })
    for chain in Self.ordered(chains) {
      let base = vertices.count
      vertices += chain.vertices
      var begin = 0
      let count = chain.vertices.count - 1
      while begin < count {
        let isBoundary = chain.isBoundary?[begin] ?? true
        var end = begin + 1
        while end < count, end - begin < Self.edgesPerLeaf,
          (chain.isBoundary?[end] ?? true) == isBoundary
        {
          end += 1
        }
        let sag = (base + begin..<base + end).map {
          EdgeCurve(start: vertices[$0], end: vertices[$0 + 1]).sag
        }.max()
        leaves.append(
          Leaf(
            edges: Int32(base + begin)..<Int32(base + end), isRing: chain.isRing,
            isBoundary: isBoundary, sag: sag ?? 0))
        begin = end
      }
    }
    self.vertices = vertices
    self.leaves = leaves
    var nodes = zip(0..., leaves).map { index, leaf in Self.node(of: leaf, at: index, vertices) }
    var level = nodes.indices
    while level.count > 1 {
      let next = nodes.count
      for begin in stride(from: level.lowerBound, to: level.upperBound, by: Self.childrenPerNode) {
        let children = begin..<min(begin + Self.childrenPerNode, level.upperBound)
        nodes.append(Self.node(over: children, in: nodes))
      }
      level = next..<nodes.count
    }
    self.nodes = nodes
  }

  /// Rings that lie close to each other, side by side: in the order of Morton's curve.
  private static func ordered(_ chains: [Chain]) -> [Chain] {
    guard chains.count > 2 else { return chains }
    func spread(_ value: Double) -> UInt64 {
      var bits = UInt64(min(max(value, 0), 65_535))
      for (shift, mask) in [(8, 0x00FF_00FF), (4, 0x0F0F_0F0F), (2, 0x3333_3333), (1, 0x5555_5555)]
        as [(UInt64, UInt64)]
      {
        bits = (bits | bits << shift) & mask
      }
      return bits
    }
    return chains.map { chain in
      let first = chain.vertices[0]
      return (
        spread((first.longitude + 180) / 360 * 65_536)
          | spread((first.latitude + 90) / 180 * 65_536) << 1, chain
      )
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static func node(of leaf: Leaf, at index: Int, _ vertices: [EdgeCurve.End]) -> Node {
    var node = Node(children: Int32(index)..<Int32(index + 1))
    if leaf.isRing { node.chain = (leaf.edges.lowerBound, leaf.edges.upperBound) }
    for edge in leaf.edges {
      let curve = EdgeCurve(start: vertices[Int(edge)], end: vertices[Int(edge) + 1])
      if leaf.isRing {
        node.rings.include(curve.start)
        node.rings.include(curve.end)
      }
      if leaf.isBoundary { node.boundary.include(curve) }
    }
    return node
  }

  private static func node(over children: Range<Int>, in nodes: [Node]) -> Node {
    var node = Node(children: Int32(children.lowerBound)..<Int32(children.upperBound))
    node.chain = nodes[children.lowerBound].chain
    for child in nodes[children] {
      node.rings.include(child.rings)
      node.boundary.include(child.boundary)
    }
    for (child, next) in zip(children, children.dropFirst()) {
      guard let end = nodes[child].chain?.last, let last = nodes[next].chain, last.first == end
      else {
        node.chain = nil
        break
      }
      node.chain?.last = last.last
    }
    return node
  }
}

extension EdgeTree {
  /// Whether an odd number of the rings' edges lies east of a point of the plane.
  ///
  /// An edge counts when one of its ends lies north of the point and the other doesn't, so that a
  /// common end of two counts once or twice as it should.
  func isInside(longitude: Double, latitude: Double) -> Bool {
    guard let root = nodes.indices.last else { return false }
    return isOddEast(root, longitude, latitude)
  }

  private func isOddEast(_ index: Int, _ x: Double, _ y: Double) -> Bool {
    let box = nodes[index].rings
    guard y >= box.south, y < box.north, x < box.east else { return false }
    if x < box.west, let chain = nodes[index].chain {
      // What winds in between goes north as often as south.
      return (vertices[Int(chain.first)].latitude > y) != (vertices[Int(chain.last)].latitude > y)
    }
    var isOdd = false
    let children = nodes[index].children
    guard index < leaves.count else {
      for child in children where isOddEast(Int(child), x, y) { isOdd.toggle() }
      return isOdd
    }
    for edge in leaves[index].edges {
      let (a, b) = (vertices[Int(edge)], vertices[Int(edge) + 1])
      guard (a.latitude > y) != (b.latitude > y) else { continue }
      let side = Self.side(of: x, y, a, b)
      if b.latitude > a.latitude ? side > 0 : side < 0 { isOdd.toggle() }
    }
    return isOdd
  }

  /// Positive where a point of the plane lies left of an edge, negative right of it.
  ///
  /// Differences of neighbouring numbers are exact, and so what rounding there is amounts to some
  /// nanometres on the ground, far below what a position means.
  private static func side(
    of x: Double, _ y: Double, _ a: EdgeCurve.End, _ b: EdgeCurve.End
  ) -> Double {
    (b.longitude - a.longitude) * (y - a.latitude) - (x - a.longitude) * (b.latitude - a.latitude)
  }
}

extension EdgeTree {
  /// The position of a boundary that is closest to another one.
  func closest(to position: Coordinate, _ points: PointFinder = PointFinder()) -> ClosestPosition {
    var closest = ClosestPosition(to: position, points)
    if let root = nodes.indices.last { improve(&closest, below: root) }
    return closest
  }

  /// Replaces what was closest to a point so far by a position of a boundary that is closer.
  private func improve(_ closest: inout ClosestPosition, below index: Int) {
    guard index >= leaves.count else { return improve(&closest, in: leaves[index]) }
    // At most four: the nearest first, so that there is more to leave out.
    let children = nodes[index].children
    let first = Int(children.lowerBound)
    var squares = InlineArray<4, Double>(repeating: .infinity)
    for number in 0..<children.count {
      squares[number] = nodes[first + number].boundary.squaredDistance(to: closest.point)
    }
    while true {
      var nearest = 0
      for number in 1..<Self.childrenPerNode where squares[number] < squares[nearest] {
        nearest = number
      }
      guard squares[nearest] < closest.squaredDistance else { return }
      squares[nearest] = .infinity
      improve(&closest, below: first + nearest)
    }
  }

  private func improve(_ closest: inout ClosestPosition, in leaf: Leaf) {
    guard leaf.isBoundary else { return }
    // The edge whose chord is closest first: then the others are left out at a glance.
    let (first, count) = (Int(leaf.edges.lowerBound), leaf.edges.count)
    var shares = InlineArray<8, Double>(repeating: 0)
    var squares = InlineArray<8, Double>(repeating: .infinity)
    var (nearest, least) = (0, Double.infinity)
    var start = vertices[first].point
    for number in 0..<count {
      let end = vertices[first + number + 1].point
      let (share, squared) = closest.point.closest(from: start, to: end)
      (shares[number], squares[number]) = (share, squared)
      if squared < least { (nearest, least) = (number, squared) }
      start = end
    }
    curve(first + nearest).improve(&closest, at: (shares[nearest], least))
    var limit = closest.squaredDistance(beyond: leaf.sag)
    for number in 0..<count where number != nearest && squares[number] < limit {
      curve(first + number).improve(&closest, at: (shares[number], squares[number]))
      limit = closest.squaredDistance(beyond: leaf.sag)
    }
  }

  @inline(__always)
  private func curve(_ edge: Int) -> EdgeCurve {
    EdgeCurve(start: vertices[edge], end: vertices[edge + 1])
  }

  /// Around which position all boundaries lie, and within a chord of which length in metres; nil where
  /// there are none.
  var surroundings: (center: Coordinate, chord: Double)? {
    guard let box = nodes.last?.boundary, let (center, chord) = box.surroundings else { return nil }
    // No chord between two vertices is farther away than these.
    let middle = GeocentricPoint(center)
    var (farthest, sag) = (0.0, 0.0)
    for leaf in leaves where leaf.isBoundary {
      sag = max(sag, leaf.sag)
      for vertex in leaf.edges.lowerBound...leaf.edges.upperBound {
        farthest = max(farthest, vertices[Int(vertex)].point.squaredDistance(to: middle))
      }
    }
    return (center, min(chord, farthest.squareRoot() + sag))
  }

  /// Hands over the pieces of edges of a boundary that may come closer to a point than a distance, each no farther
  /// from its chord than the longest sag, all in metres, until one is answered with false.
  func forEachPiece(
    within distance: Double, of point: GeocentricPoint, sagUpTo longest: Double,
    _ body: (EdgeCurve) -> Bool
  ) {
    guard let root = nodes.indices.last else { return }
    _ = forEachPiece(below: root, within: distance, of: point, sagUpTo: longest, body)
  }

  private func forEachPiece(
    below index: Int, within distance: Double, of point: GeocentricPoint, sagUpTo longest: Double,
    _ body: (EdgeCurve) -> Bool
  ) -> Bool {
    guard nodes[index].boundary.squaredDistance(to: point) <= distance * distance else {
      return true
    }
    guard index < leaves.count else {
      return nodes[index].children.allSatisfy {
        forEachPiece(below: Int($0), within: distance, of: point, sagUpTo: longest, body)
      }
    }
    return !leaves[index].isBoundary
      || leaves[index].edges.allSatisfy {
        curve(Int($0)).forEachPiece(within: distance, of: point, sagUpTo: longest, body)
      }
  }
}
