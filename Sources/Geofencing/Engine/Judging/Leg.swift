/// A straight part of a way, and how long it took.
struct Leg {
  let way: Way
  let span: Duration
}

extension Leg {
  /// For how long at most the leg, from one fix to the next, led inside a shape, as far as that can be told.
  ///
  /// A leg that took longer than ``Route/straightTime`` may have been inside all the time. If the receiver hardly
  /// moves, lasting errors decide on which side of the line its positions are: then the time counts only if the leg
  /// begins at least a standard deviation inside. So a stroll through a place that is hardly larger than the errors
  /// counts for less than it took.
  func longestStay(inside shape: some JudgedShape) -> Duration {
    if span > Route.straightTime { return span }
    // Altitudes may jump without a climb, so they count only for a condition with a band.
    let moved = shape.hasBand ? way.length : way.ground
    if moved < MotionModel.walkingSpeed * span.inSeconds,
      shape.signedDistance(to: way.start) > -way.start.sigma
    {
      return .zero
    }
    return span * shape.share(of: way)
  }
}
