/// What lies around a position, side by side: good for all positions near it.
///
/// Of millions of slots only a few have their line nearby. They are looked up once in a while, when the
/// position has moved far enough, and compared with every position in between.
struct Surroundings: Sendable {
  /// The slots whose line is near, in no order; few of them more than once.
  private(set) var slots: ContiguousArray<UInt32> = []

  /// Where they are, in the same order.
  private(set) var places: ContiguousArray<SpatialIndex.Place> = []

  private(set) var frame: LocalFrame?

  /// The distance in metres from the centre within which every line is known; less than 0 when nothing
  /// is known.
  private var radius = -1.0

  /// How far the next ones reach beyond what is asked for.
  private var horizon = 100.0

  /// How many slots make a good list: more take longer to compare than to look up anew.
  private static let fewest = 6
  private static let most = 40

  /// The slots that were looked at last, for leaving out most of those that come again.
  private var recent = ContiguousArray(repeating: UInt32.max, count: 256)

  /// Whether all lines within some metres of a position are known.
  @inline(__always)
  func holds(_ position: Coordinate, reach: Double) -> Bool {
    guard let frame, radius > reach else { return false }
    // A long way asks for far more than what follows needs.
    guard slots.count <= 4 * Self.most || radius <= 2 * (reach + horizon) else { return false }
    return frame.squaredBound(to: position) <= (radius - reach) * (radius - reach)
  }

  /// Forgets everything.
  mutating func invalidate() { radius = -1 }

  /// Looks up what lies around a position.
  ///
  /// - Parameters:
  ///   - reach: how near, in metres, lines matter.
  ///   - covering: is handed the circles that hold all around the position, with their lines far away;
  ///     some more than once.
  mutating func gather(
    around position: Coordinate, at point: GeocentricPoint, reach: Double, in index: SpatialIndex,
    covering: (UInt32) -> Void
  ) {
    // As many as are good to have, and never farther than the frame is good for.
    if slots.count > Self.most { horizon = max(horizon / 1.5, 15) }
    if slots.count < Self.fewest { horizon = min(horizon * 1.5, LocalFrame.reach) }
    frame = LocalFrame(at: position)
    let radius = reach + horizon
    self.radius = radius
    slots.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    unsafe recent.withUnsafeMutableBufferPointer { recent in
      unsafe recent.update(repeating: .max)
      unsafe index.places.withElements { all in
        index.forEach(within: radius, of: position) { slot in
          guard unsafe recent[Int(slot & 255)] != slot else { return }
          unsafe recent[Int(slot & 255)] = slot
          let place = unsafe all[Int(slot)]
          // Outside nothing of a line is nearer than the chord says; inside, than it says and the
          // tolerance.
          let near = radius + place.tolerance
          let farthest = place.chord + near
          let squared = place.squaredDistance(to: point)
          guard squared <= farthest * farthest else { return }
          if place.isCircle, place.chord > near {
            let nearest = place.chord - near
            guard squared >= nearest * nearest else { return covering(slot) }
          }
          slots.append(slot)
          places.append(place)
        }
      }
    }
  }
}
