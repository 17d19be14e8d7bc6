import Geofencing

/// What the receiver moves with, and so which numbers fit: named as in Core Location.
package enum LiveConfiguration: String, Sendable, Hashable, CaseIterable {
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

  /// Its row of numbers.
  package var parameters: LiveConfigurationParameters {
    var row = LiveConfigurationParameters()
    switch self {
    case .default: break
    case .automotiveNavigation:
      row.stationary.radius = 40
      row.stationary.window = .seconds(300)
      row.pauseAfter = .seconds(600)
      row.maximumSpeed = 90
      row.stationary.maximumAcceleration = 12
    case .otherNavigation:
      row.stationary.speed = 0.7
      row.stationary.radius = 50
      row.stationary.window = .seconds(300)
      row.pauseAfter = .seconds(600)
      row.maximumSpeed = 170
      row.stationary.maximumAcceleration = 6
      row.enterFixes = 3
      row.enterTime = .seconds(3)
      row.exitTime = .seconds(5)
      row.creepingSpeed = 0.15
    case .fitness:
      row.stationary.window = .seconds(180)
      row.maximumSpeed = 35
      row.stationary.maximumAcceleration = 8
      row.enterFixes = 3
      row.enterTime = .seconds(3)
      row.exitFixes = 4
      row.exitTime = .seconds(5)
    case .airborne:
      row.stationary.radius = 50
      row.stationary.height = 25
      row.stationary.window = .seconds(2_700)
      row.pauseAfter = .seconds(2_700)
      row.maximumSpeed = 700
      row.stationary.maximumAcceleration = 50
    }
    return row
  }
}

/// The numbers of one ``LiveConfiguration``; those written here are of `default`.
///
/// The manual page geofenced.conf(5) has them as a table, with the same reasons.
package struct LiveConfigurationParameters: Sendable, Hashable {
  /// When it is stationary, and what movement is plausible.
  package var stationary = StationaryParameters()

  /// How long it must have been still before location updates pause.
  ///
  /// A false pause delays the next event by as much as a probe takes: so it comes later where another
  /// departure is likely.
  package var pauseAfter = Duration.seconds(300)

  /// The largest speed that is taken for travel, in metres per second.
  ///
  /// Airliners with the wind; 324 km/h on a road; 612 km/h on rails or water; a bicycle or skis
  /// downhill; above the speed of sound.
  package var maximumSpeed = PositioningParameters().maximumSpeed

  /// How many confident fixes inside make an entry: see ``DecisionParameters/enterFixes``.
  package var enterFixes = DecisionParameters().enterFixes

  /// How long they must span; longer where nobody is fast enough to be gone meanwhile.
  package var enterTime = DecisionParameters().enterTime

  /// How many confident fixes outside make an exit: see ``DecisionParameters/exitFixes``.
  package var exitFixes = DecisionParameters().exitFixes

  /// How long they must span; longer for those who are slow, and wander beside a line.
  package var exitTime = DecisionParameters().exitTime

  /// From what speed on it moves, in metres per second, where no course comes with it: see
  /// ``DecisionParameters/creepingSpeed``.
  ///
  /// Receivers at rest say up to the default; boats swing, and drag their anchors, at less.
  package var creepingSpeed = DecisionParameters().creepingSpeed
}
