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
      row.stationaryRadius = 40
      row.stationaryWindow = .seconds(300)
      row.pauseAfter = .seconds(600)
      row.maximumSpeed = 90
      row.maximumAcceleration = 12
    case .otherNavigation:
      row.stationarySpeed = 0.7
      row.stationaryRadius = 50
      row.stationaryWindow = .seconds(300)
      row.pauseAfter = .seconds(600)
      row.maximumSpeed = 170
      row.maximumAcceleration = 6
      row.enterFixes = 3
      row.enterTime = .seconds(3)
      row.exitTime = .seconds(5)
    case .fitness:
      row.stationaryWindow = .seconds(180)
      row.maximumSpeed = 35
      row.maximumAcceleration = 8
      row.enterFixes = 3
      row.enterTime = .seconds(3)
      row.exitFixes = 4
      row.exitTime = .seconds(5)
    case .airborne:
      row.stationaryRadius = 50
      row.stationaryHeight = 25
      row.stationaryWindow = .seconds(2_700)
      row.pauseAfter = .seconds(2_700)
      row.maximumSpeed = 700
      row.maximumAcceleration = 50
    }
    return row
  }
}

/// The numbers of one ``LiveConfiguration``; those written here are of `default`.
///
/// The manual page geofenced.conf(5) has them as a table, with the same reasons.
package struct LiveConfigurationParameters: Sendable, Hashable {
  /// Metres per second, up to which the median Doppler speed of the window is rest.
  ///
  /// Receivers at rest report 0.05 to 0.4 m/s; a stroll is 1. A boat at anchor swings a little faster.
  package var stationarySpeed = 0.5

  /// How far three quarters of the window's positions may lie from their middle, in metres.
  ///
  /// Receivers at rest wander by tens of metres, whatever they are mounted on. Cars and boats are
  /// larger and swing, and moving them by as much is no news.
  package var stationaryRadius = 30.0

  /// How far three quarters of the window's altitudes may lie from their middle, in metres; nil where
  /// altitude doesn't matter.
  ///
  /// Only what flies can climb without leaving its place, so only there altitude is looked at. It is
  /// known about half as well as the position.
  package var stationaryHeight: Double?

  /// How long it must have been still to be stationary.
  ///
  /// Long enough for what isn't the end of a journey: two minutes for a crossing, three for a rest, five
  /// for a traffic jam or a stop at a station or lock; longer than all but few hovers for what flies,
  /// as position alone can't tell a perfect hover from a parked aircraft.
  package var stationaryWindow = Duration.seconds(120)

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

  /// The largest change of speed that is taken for travel, in metres per second squared.
  ///
  /// A Doppler speed that changes faster says nothing about movement. Emergency braking reaches 10,
  /// trains and boats less, a cyclist's fall 8, a fighter 50.
  package var maximumAcceleration = 15.0

  /// How many confident fixes inside make an entry: see ``DecisionParameters/enterFixes``.
  package var enterFixes = DecisionParameters().enterFixes

  /// How long they must span; longer where nobody is fast enough to be gone meanwhile.
  package var enterTime = DecisionParameters().enterTime

  /// How many confident fixes outside make an exit: see ``DecisionParameters/exitFixes``.
  package var exitFixes = DecisionParameters().exitFixes

  /// How long they must span; longer for those who are slow, and wander beside a line.
  package var exitTime = DecisionParameters().exitTime

  package init() {}
}

/// When a receiver is stationary, and what movement is plausible: ``StationaryDetector``'s numbers.
package struct StationaryParameters: Sendable, Hashable {
  /// See ``LiveConfigurationParameters/stationarySpeed``.
  package var speed: Double

  /// See ``LiveConfigurationParameters/stationaryRadius``.
  package var radius: Double

  /// See ``LiveConfigurationParameters/stationaryHeight``.
  package var height: Double?

  /// See ``LiveConfigurationParameters/stationaryWindow``.
  package var window: Duration

  /// See ``LiveConfigurationParameters/maximumAcceleration``.
  package var maximumAcceleration: Double

  /// The numbers of a row.
  package init(_ row: LiveConfigurationParameters = LiveConfigurationParameters()) {
    speed = row.stationarySpeed
    radius = row.stationaryRadius
    height = row.stationaryHeight
    window = row.stationaryWindow
    maximumAcceleration = row.maximumAcceleration
  }
}

/// Whether and when location updates pause.
package struct PauseParameters: Sendable, Hashable {
  /// What a pause is.
  package enum Mode: String, Sendable, Hashable, CaseIterable {
    /// The receiver is released, and looked at now and then.
    case receiver

    /// The receiver goes on; only the updates are silent.
    case updates

    /// There is none.
    case never
  }

  package var mode = Mode.receiver

  /// How long it must have been still before a pause.
  package var after = LiveConfigurationParameters().pauseAfter

  /// The time between two looks at a released receiver.
  package var probeInterval = Duration.seconds(60)

  /// How long a look waits for the first fix before it is given up.
  package var fixTimeout = Duration.seconds(60)

  /// How long a look may take from the first fix on, by the machine's clock.
  package var lookTimeout = Duration.seconds(75)

  package init() {}
}
