/// What the receiver moves with, which decides when it counts as being at rest and updates pause.
public enum LiveConfiguration: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nothing is known about it.
  case `default`

  /// A car, which stands in traffic jams.
  case automotiveNavigation

  /// A boat, a train: what moves, but not on a road.
  case otherNavigation

  /// Somebody who walks, runs or cycles.
  case fitness

  /// What flies, and hovers without having landed.
  case airborne
}
