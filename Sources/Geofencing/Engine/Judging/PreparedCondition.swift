/// A condition in the form in which fixes are judged against it.
///
/// It is an object, as each fix is judged against many: copies of a condition took a tenth of the time.
package final class PreparedCondition: Sendable {
  package let condition: Condition

  let shape: PreparedShape

  /// Whether the condition has a confidence of its own; for any that it may have, four standard deviations are enough.
  var isDemanding: Bool { condition.confidence != nil }

  /// Prepares the condition of a circle without options.
  init(circle: CircularGeographicCondition) {
    condition = Condition(circle: circle)
    shape = .circle(circle)
  }

  /// Whether it is a circle without options.
  var isPlainCircle: Bool {
    guard case .circle(let circle) = shape else { return false }
    return condition == Condition(circle: circle)
  }

  package init(_ condition: Condition) {
    self.condition = condition
    shape = PreparedShape(condition.shape)
  }

  private init(_ condition: Condition, _ shape: PreparedShape) {
    self.condition = condition
    self.shape = shape
  }

  /// The distance in metres from a position to the shape's edge, whatever its altitude: negative
  /// inside.
  package func signedDistance(to position: Coordinate) -> Double {
    shape.signedDistance(to: position)
  }

  /// The signed distance in metres of a fix by itself: negative inside the shape and the band.
  ///
  /// If the altitude that a band asks for is missing, it is the signed distance to the shape.
  ///
  /// - Parameter shapeDistance: the signed distance to the shape alone, if it is known already.
  package func signedDistance(
    to fix: borrowing Location, shapeDistance: Double? = nil
  ) -> Double {
    let distance = shapeDistance ?? shape.signedDistance(to: fix.coordinate)
    guard let band = condition.altitude, let altitude = fix.altitude(above: band.reference) else {
      return distance
    }
    return AltitudeBand.joined(distance, band.signedDistance(to: altitude))
  }

  /// The signed distance in metres of an estimate: negative inside the shape and the band.
  func signedDistance(to estimate: PositionEstimate, shapeDistance: Double? = nil) -> Double {
    let distance = shapeDistance ?? shape.signedDistance(to: estimate.coordinate)
    guard let band = condition.altitude, let altitude = estimate.altitude?[band.reference] else {
      return distance
    }
    return AltitudeBand.joined(distance, band.signedDistance(to: altitude))
  }

  /// This condition with its innermost position found, if positions with that standard deviation can't be judged
  /// without.
  ///
  /// - Parameter sigma: in metres.
  func findingInnermost(for sigma: Double) -> PreparedCondition {
    guard shape.lacksInnermost(for: sigma) else { return self }
    return PreparedCondition(condition, shape.findingInnermost())
  }
}
