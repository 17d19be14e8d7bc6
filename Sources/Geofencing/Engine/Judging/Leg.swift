/// A part of a way, and how long it took.
struct Leg {
  let way: Way
  let span: Duration
}

extension Leg {
  /// For how long at most it led inside of a shape, from one fix to the next, as far as that can be told.
  ///
  /// Who wasn't seen for long may have been inside all the time. Of whoever hardly moves, errors that last say on which
  /// side of the line that is: the time counts only where it is likely to be inside, by a standard deviation. So a
  /// stroll through a place that is hardly larger than the errors counts for less than it took.
  func longestStay(inside shape: some JudgedShape) -> Duration {
    if span > Route.straightTime { return span }
    // Altitudes that nobody asks for jump without a climb.
    let moved = shape.hasBand ? way.length : way.ground
    if moved < MotionModel.walkingSpeed * span.inSeconds,
      shape.signedDistance(to: way.start) > -way.start.sigma
    {
      return .zero
    }
    return span * shape.share(of: way)
  }
}
