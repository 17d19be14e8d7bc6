/// A part of a way, and how long it took.
struct Leg {
  let way: Way
  let span: Duration
}
