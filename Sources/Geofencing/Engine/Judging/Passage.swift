import Glibc

/// The probability that a way led through something, if it leads from one side of it to the other.
///
/// Then only matters how far to the side the way led, which is about normally distributed. So no strip is too narrow
/// to be crossed, although no position in it could be believed to be inside.
struct Passage {
  /// The standard deviation in metres of how far to the side the way led.
  let sigma: Double

  /// The probability of having passed through a circle.
  ///
  /// - Parameters:
  ///   - radius: the circle's radius in metres.
  ///   - distance: how far from the centre the way passes, in metres.
  func probability(radius: Double, distanceToCenter distance: Double) -> Double {
    Self.normal((radius - distance) / sigma) - Self.normal((-radius - distance) / sigma)
  }

  /// The probability of having passed through a shape; nil if it is less than `least`.
  ///
  /// - Parameter leads: whether the way so many metres to the right leads through.
  func probability(atLeast least: Double, _ leads: (Double) -> Bool) -> Double? {
    // Most ways don't come near the shape.
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

  /// Parallel ways on either side stand for those around them: they are a tenth of a standard deviation apart, and
  /// those more than three away count as having passed by.
  private static let steps = 30
  private static let width = 0.1

  private static func normal(_ deviations: Double) -> Double {
    0.5 * erfc(-deviations / 2.0.squareRoot())
  }
}
