/// What the state machine of a condition has to know of the condition.
///
/// Circles without options are told apart from all else: they are many, and are judged without a copy of anything.
protocol JudgedShape {
  /// How long to wait before an entry and an exit are told; nil for the default.
  var enterAfter: Duration? { get }
  var exitAfter: Duration? { get }

  /// Whether the condition has an altitude band.
  var hasBand: Bool { get }

  /// Judges a fix.
  ///
  /// - Parameter roughly: whether the verdict is enough, where that takes less work.
  func judgement(
    of step: borrowing ConditionWatch.Step, roughly: Bool,
    with parameters: borrowing DecisionParameters
  ) -> Judgement

  /// The signed distance in metres from an estimate: negative inside.
  func signedDistance(to estimate: PositionEstimate) -> Double

  /// The signed distance in metres from the fix itself: negative inside.
  func signedDistance(to fix: borrowing Location) -> Double

  /// Whether an estimate is surely outside.
  func isSurelyOutside(
    _ estimate: PositionEstimate, with parameters: borrowing DecisionParameters
  ) -> Bool

  /// The share of a way that lies inside, from 0 to 1.
  func share(of way: Way) -> Double

  /// The probability of having been inside on a way; nil if it isn't known, or surely less than `least`.
  ///
  /// See ``Way/largestProbability(of:atLeast:with:)``.
  func largestProbability(
    on way: Way, atLeast least: Double, with parameters: borrowing DecisionParameters
  ) -> Double?
}

/// A circle without options.
struct JudgedCircle: JudgedShape, BitwiseCopyable {
  let circle: CircularGeographicCondition
  let place: SpatialIndex.Place

  var enterAfter: Duration? { nil }
  var exitAfter: Duration? { nil }
  var hasBand: Bool { false }

  @inline(__always)
  func judgement(
    of step: borrowing ConditionWatch.Step, roughly: Bool,
    with parameters: borrowing DecisionParameters
  ) -> Judgement {
    Judgement(
      radius: circle.radius, distance: distance(to: step.estimate.coordinate, at: step.point),
      sigma: step.estimate.sigma, confidence: parameters.confidence, zone: step.zone,
      roughly: roughly)
  }

  func signedDistance(to estimate: PositionEstimate) -> Double {
    distance(to: estimate.coordinate)
  }

  func signedDistance(to fix: borrowing Location) -> Double { distance(to: fix.coordinate) }

  func isSurelyOutside(
    _ estimate: PositionEstimate, with parameters: borrowing DecisionParameters
  ) -> Bool {
    distance(to: estimate.coordinate)
      >= Judgement.deviations(confidence: parameters.confidence) * estimate.sigma
  }

  func share(of way: Way) -> Double { way.share(within: nil, signedDistance) }

  func largestProbability(
    on way: Way, atLeast least: Double, with parameters: borrowing DecisionParameters
  ) -> Double? {
    way.misses(circle, at: place.center, by: least) ? nil : way.largestProbability(of: circle)
  }

  /// The signed distance in metres to a position: negative inside.
  ///
  /// - Parameter point: the position in space, if that is known already.
  @inline(__always)
  fileprivate func distance(to position: Coordinate, at point: GeocentricPoint? = nil) -> Double {
    let squared = place.center.squaredDistance(to: point ?? GeocentricPoint(position))
    if squared < Chord.longestShort * Chord.longestShort {
      return Chord.geodesic(ofShort: squared.squareRoot()) - circle.radius
    }
    return circle.signedDistance(to: position)
  }
}

/// Any condition.
struct JudgedCondition: JudgedShape {
  let prepared: PreparedCondition

  /// The circle in space; without meaning for other shapes.
  let place: SpatialIndex.Place

  /// The signed distance in metres from a step to the shape, if it is known already.
  var distanceOfStep: Double?

  var hasBand: Bool { prepared.condition.altitude != nil }
  var enterAfter: Duration? { prepared.condition.enterAfter }
  var exitAfter: Duration? { prepared.condition.exitAfter }

  func judgement(
    of step: borrowing ConditionWatch.Step, roughly: Bool,
    with parameters: borrowing DecisionParameters
  ) -> Judgement {
    let distance =
      if let distanceOfStep { distanceOfStep } else {
        shapeDistance(to: step.estimate.coordinate, at: step.point)
      }
    return Judgement(
      of: step.estimate, against: prepared, distance: distance, roughly: roughly,
      with: parameters)
  }

  /// Judges a position.
  ///
  /// - Parameter points: finds the position in space, and remembers the last one.
  func judgement(
    of estimate: PositionEstimate, _ points: inout PointFinder,
    with parameters: borrowing DecisionParameters
  ) -> Judgement {
    let position = estimate.coordinate
    let point = points.point(latitude: position.latitude, longitude: position.longitude)
    return Judgement(
      of: estimate, against: prepared, distance: shapeDistance(to: position, at: point),
      with: parameters)
  }

  func signedDistance(to estimate: PositionEstimate) -> Double {
    prepared.signedDistance(
      to: estimate, shapeDistance: shapeDistance(to: estimate.coordinate))
  }

  func signedDistance(to fix: borrowing Location) -> Double {
    prepared.signedDistance(to: fix, shapeDistance: shapeDistance(to: fix.coordinate))
  }

  func isSurelyOutside(
    _ estimate: PositionEstimate, with parameters: borrowing DecisionParameters
  ) -> Bool {
    Judgement(of: estimate, against: prepared, with: parameters).verdict == .outside
  }

  func share(of way: Way) -> Double {
    way.share(within: prepared.condition.altitude, signedDistance)
  }

  func largestProbability(
    on way: Way, atLeast least: Double, with parameters: borrowing DecisionParameters
  ) -> Double? {
    way.largestProbability(of: prepared, atLeast: least, with: copy parameters)
  }

  /// The signed distance in metres to the shape, without regard to altitudes.
  private func shapeDistance(
    to position: Coordinate, at point: GeocentricPoint? = nil
  ) -> Double {
    guard case .circle(let circle) = prepared.shape else {
      return prepared.signedDistance(to: position)
    }
    return JudgedCircle(circle: circle, place: place).distance(to: position, at: point)
  }
}

extension JudgedCondition {
  /// A condition whose place in space has to be found first.
  init(_ prepared: PreparedCondition) {
    var (center, radius) = (Coordinate.nowhere, 0.0)
    if case .circle(let circle) = prepared.shape {
      (center, radius) = (circle.center, circle.radius)
    }
    self.init(
      prepared: prepared,
      place: SpatialIndex.Place(
        center: GeocentricPoint(center), chord: Chord.length(ofGeodesic: radius)))
  }
}
