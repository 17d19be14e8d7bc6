import Glibc

/// The curve of a way between two positions, where the velocities at its ends say that it isn't straight.
struct Bend {
  let straight: Vector
  private let departure: Vector
  private let arrival: Vector

  /// The standard deviation, in metres, of how far to the side the curve leads in its middle.
  ///
  /// It grows with how far the velocities at the ends lead to the side: then less is known of the curve.
  let spread: Double

  init(straight: Vector, departure: Vector, arrival: Vector) {
    (self.straight, self.departure, self.arrival) = (straight, departure, arrival)
    spread = Self.spreadShare * hypot(straight.beside(departure), straight.beside(arrival))
  }

  /// The spread as a share of how far the velocities lead to the side.
  ///
  /// Found with drives of which all but one fix in 5 to 60 s were left out.
  private static let spreadShare = 0.06

  /// How many straight legs stand for the curve.
  ///
  /// With so many, few curves lead farther beside their legs than a hundredth of the way.
  static let legCount = 8

  /// The vector from the beginning of the way to where it is after a share of the time, from 0 to 1.
  ///
  /// - Parameter aside: by how many standard deviations the curve leads farther to the right than it seems.
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
  /// How many metres the other vector leads to the left of this one; the length of the other one if this one has none.
  fileprivate func beside(_ other: Vector) -> Double {
    length > 0 ? cross(other) / length : other.length
  }
}
