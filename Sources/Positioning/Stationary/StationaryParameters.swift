import Geofencing

/// When a receiver is stationary, and what movement is plausible: ``StationaryDetector``'s numbers.
///
/// Those written here are of the ``LiveConfiguration`` `default`.
package struct StationaryParameters: Sendable, Hashable {
  /// Metres per second, up to which the median Doppler speed of the window is rest.
  ///
  /// Receivers at rest report 0.05 to 0.4 m/s; a stroll is 1. A boat at anchor swings a little faster.
  package var speed = 0.5

  /// How far three quarters of the window's positions may lie from their middle, in metres.
  ///
  /// Receivers at rest wander by tens of metres, whatever they are mounted on. Cars and boats are
  /// larger and swing, and moving them by as much is no news.
  package var radius = 30.0

  /// How far three quarters of the window's altitudes may lie from their middle, in metres; nil where
  /// altitude doesn't matter.
  ///
  /// Only what flies can climb without leaving its place, so only there altitude is looked at. It is
  /// known about half as well as the position.
  package var height: Double?

  /// How long it must have been still to be stationary.
  ///
  /// Long enough for what isn't the end of a journey: two minutes for a crossing, three for a rest, five
  /// for a traffic jam or a stop at a station or lock; longer than all but few hovers for what flies,
  /// as position alone can't tell a perfect hover from a parked aircraft.
  package var window = Duration.seconds(120)

  /// The largest change of speed that is taken for travel, in metres per second squared.
  ///
  /// A Doppler speed that changes faster says nothing about movement. Emergency braking reaches 10,
  /// trains and boats less, a cyclist's fall 8, a fighter 50.
  package var maximumAcceleration = DecisionParameters().maximumAcceleration

  package init() {}
}
