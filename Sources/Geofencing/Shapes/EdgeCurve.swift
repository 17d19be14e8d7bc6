import Glibc

/// A piece of an edge: the curve on the ellipsoid that is straight in longitude and latitude.
struct EdgeCurve {
  /// One end, in degrees and in space.
  struct End: Sendable {
    let longitude: Double
    let latitude: Double
    let point: GeocentricPoint

    init(longitude: Double, latitude: Double) {
      var points = PointFinder()
      self.init(longitude: longitude, latitude: latitude, &points)
    }

    /// The same where the last position that was found is near.
    init(longitude: Double, latitude: Double, _ points: inout PointFinder) {
      self.longitude = longitude
      self.latitude = latitude
      point = points.point(latitude: latitude, longitude: longitude)
    }
  }

  let start: End
  let end: End

  /// The position at a share of the way from the start to the end.
  func position(at share: Double, _ points: inout PointFinder) -> End {
    // Of the ends, the point in space is known.
    if share <= 0 { return start }
    if share >= 1 { return end }
    return End(
      longitude: start.longitude + (end.longitude - start.longitude) * share,
      latitude: start.latitude + (end.latitude - start.latitude) * share, &points)
  }

  /// The angle that bounds how much it bends, in radians.
  private var span: Double {
    (abs(end.longitude - start.longitude) + abs(end.latitude - start.latitude)) * .pi / 180
  }

  /// How far it may be from its chord in space, in metres.
  ///
  /// A curve is at most max |X″| / 8 from its chord, and on an ellipsoid all second derivatives by
  /// the two angles are at most its radius (with 1 % for the flattening).
  var sag: Double { Self.sag(ofSpan: span) }

  /// The same for an angle in radians that bounds how much a curve bends.
  static func sag(ofSpan span: Double) -> Double {
    1.01 * GeocentricPoint.equatorialRadius * span * span / 8
  }

  /// Its two halves.
  var halves: (EdgeCurve, EdgeCurve) {
    var points = PointFinder()
    let middle = position(at: 0.5, &points)
    return (EdgeCurve(start: start, end: middle), EdgeCurve(start: middle, end: end))
  }

  /// Where on the chord, as a share, is closest to a point, and its squared distance.
  @inline(__always)
  func closestOnChord(to point: GeocentricPoint) -> (share: Double, squaredDistance: Double) {
    point.closest(from: start.point, to: end.point)
  }

  /// Hands over its pieces that may come closer to a point than a distance, each no farther from its chord than the
  /// longest sag, all in metres, until one is answered with false; whether none was.
  func forEachPiece(
    within distance: Double, of point: GeocentricPoint, sagUpTo longest: Double,
    _ body: (EdgeCurve) -> Bool
  ) -> Bool {
    let sag = sag
    guard closestOnChord(to: point).squaredDistance.squareRoot() - sag <= distance else {
      return true
    }
    guard sag > longest else { return body(self) }
    let (first, second) = halves
    return first.forEachPiece(within: distance, of: point, sagUpTo: longest, body)
      && second.forEachPiece(within: distance, of: point, sagUpTo: longest, body)
  }

  /// Replaces what was closest to a point so far by a position of the curve that is closer.
  ///
  /// Curves that bend are halved, and halves that can't hold anything closer are left out, until the
  /// chord says where the closest position is; Newton's method finds it then.
  ///
  /// - Parameter chord: where on the chord is closest to the point.
  func improve(
    _ closest: inout ClosestPosition, at chord: (share: Double, squaredDistance: Double)
  ) {
    let sag = sag
    let least = max(chord.squaredDistance.squareRoot() - sag, 0)
    guard least * least < closest.squaredDistance else { return }
    guard span < 0.02 else {
      let (begin, rest) = halves
      // The nearer one first: then there is more to leave out.
      let (first, second) = chord.share < 0.5 ? (begin, rest) : (rest, begin)
      first.improve(&closest, at: first.closestOnChord(to: closest.point))
      second.improve(&closest, at: second.closestOnChord(to: closest.point))
      return
    }
    closest.take(self, at: chord.share)
    if mayMiss(at: chord.squaredDistance.squareRoot()) { refine(from: chord.share, &closest) }
  }

  /// Whether the position that the chord says is closest may be farther than the closest one by more
  /// than twenty micrometres.
  ///
  /// Curve and chord differ by the sag b and, over a length of l, in their direction by 4b/l at most.
  /// So the square of a distance d falls by 2b(4d + l)/l a metre there at most, and where 16bd is less
  /// than l² it rises by half the square of the way: it is at most 2(b(4d + l)/l)² less, and the distance
  /// that over 2d.
  private func mayMiss(at distance: Double) -> Bool {
    let sag = sag
    guard sag > 2e-4 else { return false }
    let squaredLength = start.point.squaredDistance(to: end.point)
    let slope = sag * (4 * distance + squaredLength.squareRoot())
    return 16 * sag * distance > squaredLength
      || slope * slope > 2e-5 * distance * squaredLength
  }

  /// Newton's method on the squared distance along the curve; the derivatives of a bend as slight as
  /// this come from three of its positions.
  private func refine(from start: Double, _ closest: inout ClosestPosition) {
    var share = start
    var step = 0.05
    for _ in 0..<2 {
      let middle = min(max(share, step), 1 - step)
      let (a, b, c) = (
        closest.squaredDistance(to: self, at: middle - step),
        closest.squaredDistance(to: self, at: middle),
        closest.squaredDistance(to: self, at: middle + step)
      )
      let curvature = a - 2 * b + c
      guard curvature > 0 else { break }
      share = min(max(middle + step * (a - c) / (2 * curvature), 0), 1)
      closest.take(self, at: share)
      step /= 4
    }
    closest.take(self.start)
    closest.take(end)
  }
}

extension EdgeCurve.End {
  init(_ coordinate: Coordinate) {
    self.init(longitude: coordinate.longitude, latitude: coordinate.latitude)
  }
}

extension Coordinate {
  /// A position of an edge, whose longitude may lie a turn too far.
  init?(_ end: EdgeCurve.End) {
    self.init(latitude: end.latitude, longitude: remainder(end.longitude, 360))
  }
}
