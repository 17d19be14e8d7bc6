/// A part of a way, and how long it took.
struct Leg {
  let way: Way
  let span: Duration
}

extension [Leg] {
  /// How long they took together.
  var span: Duration { reduce(.zero) { $0 + $1.span } }

  /// For how long they led inside of a shape.
  func stay(inside shape: some JudgedShape) -> Duration {
    reduce(.zero) { $0 + $1.span * shape.share(of: $1.way) }
  }

  /// For how long they led inside of a shape, of legs from fix to fix.
  ///
  /// Of whoever hardly moves, errors that last say on which side of the line that is: the time counts only where it is
  /// likely to be inside, by a standard deviation.
  func seenStay(inside shape: some JudgedShape) -> Duration {
    let likely = filter { leg in
      leg.way.length >= MotionModel.walkingSpeed * leg.span.inSeconds
        || shape.signedDistance(to: leg.way.start) <= -leg.way.start.sigma
    }
    return likely.stay(inside: shape)
  }
}
