import Glibc

/// How sure it is that a way led through something, where it leads from one side of that to the other.
///
/// Only how far aside it led matters then, which is as good as normally distributed: no strip is too narrow to be
/// crossed, although nobody could be sure to be inside of it.
struct Passage {
  /// The standard deviation in metres of how far aside it led.
  let sigma: Double

  /// The probability of having passed through a circle.
  func probability(radius: Double, distanceToCenter distance: Double) -> Double {
    Self.normal((radius - distance) / sigma) - Self.normal((-radius - distance) / sigma)
  }

  /// The probability of having passed through a shape; nil where it is less than some.
  ///
  /// - Parameter leads: whether the way so many metres to the right leads through.
  func probability(atLeast least: Double, _ leads: (Double) -> Bool) -> Double? {
    // Most ways don't come near.
    guard leads(0) else { return nil }
    var probability = 1 - 2 * Self.normal(-Self.width * (Double(Self.steps) + 0.5))
    for step in (1...Self.steps).reversed() {
      let middle = Self.width * Double(step)
      let share = Self.normal(middle + Self.width / 2) - Self.normal(middle - Self.width / 2)
      for side in [-middle, middle] where !leads(side * sigma) { probability -= share }
      if probability < least { return nil }
    }
    return probability
  }

  /// Ways to either side that stand for those around them, a tenth of a standard deviation apart: what is farther
  /// aside than three is taken to have passed by.
  private static let steps = 30
  private static let width = 0.1

  private static func normal(_ deviations: Double) -> Double {
    0.5 * erfc(-deviations / 2.0.squareRoot())
  }
}
