import Glibc

/// How a way bends between two positions.
struct Bend {
  let straight: Vector
  private let departure: Vector
  private let arrival: Vector

  /// The standard deviation aside in the middle, in metres: less is known of a bend the farther the velocities
  /// at its ends lead aside.
  let spread: Double

  init(straight: Vector, departure: Vector, arrival: Vector) {
    (self.straight, self.departure, self.arrival) = (straight, departure, arrival)
    spread = Self.spreadShare * hypot(straight.beside(departure), straight.beside(arrival))
  }

  /// Found with drives of which all but one fix in 5 to 60 s were left out.
  private static let spreadShare = 0.06

  /// Few bends are so tight that the curve leads farther beside its legs than a hundredth of the way.
  static let legCount = 8

  /// The way from the beginning after a share of the time.
  func moved(by share: Double, aside: Double) -> Vector {
    let rest = 1 - share
    let onCurve =
      straight * (share * share * (1 + 2 * rest)) + departure * (share * rest * rest)
      - arrival * (share * share * rest)
    guard aside != 0, straight.length > 0 else { return onCurve }
    let metres = aside * spread * 4 * share * rest
    return onCurve + straight.turned(by: 90) * (metres / straight.length)
  }
}

extension Vector {
  /// How far another one leads beside this one.
  fileprivate func beside(_ other: Vector) -> Double {
    length > 0 ? cross(other) / length : other.length
  }
}
