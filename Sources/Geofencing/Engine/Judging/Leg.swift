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
}
