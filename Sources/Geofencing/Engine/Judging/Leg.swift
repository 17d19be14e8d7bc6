/// A part of a way, and how long it took.
struct Leg {
  let way: Way
  let span: Duration
}

extension Leg {
  /// For how long at most it led inside of a shape, from one fix to the next.
  ///
  /// Who wasn't seen for long may have been inside all the time. Of whoever hardly moves, errors that last say on which
  /// side of the line that is: the time counts only where it is likely to be inside, by a standard deviation.
  func longestStay(inside shape: some JudgedShape) -> Duration {
    if span > Route.straightTime { return span }
    if way.ground < MotionModel.walkingSpeed * span.inSeconds,
      shape.signedDistance(to: way.start) > -way.start.sigma
    {
      return .zero
    }
    return span * shape.share(of: way)
  }
}
