package import Geofencing
package import Positioning
package import Systemd
package import Varlink

/// Everything that can be set in `geofenced.conf`, each value within its range.
///
/// The values here are the defaults; ``ConfigurationSection/all`` says which key sets which of them.
package struct Configuration: Sendable, Equatable {
  /// Where the receiver is, what it moves with, and what keeps it in use.
  package struct Receiver: Sendable, Equatable {
    package var gpsd = GPSDSettings()
    /// How long a background activity session outlives its client's connection.
    package var sessionGrace = Duration.seconds(60)
    /// Whether a motion sensor may end a pause.
    package var usesMotionSensor = true
    /// What the receiver moves with; the numbers that follow from it are in the other parts of this type.
    package var live = LiveConfiguration.default
  }

  /// What is kept, where, and for how long.
  package struct Storage: Sendable, Equatable {
    package var stateDirectory = "/var/lib/geofenced"
    /// How many events are kept.
    package var eventRetention = 1_000_000
    /// How long events are kept.
    package var eventRetentionTime = Duration.seconds(90 * 86_400)
    /// How often the last fix is saved, with all that is needed to go on from it after a restart.
    package var checkpoint = Duration.seconds(60)
    /// How many recordings of the receiver may be kept, and how large and long one may get.
    package var maximumRecordings = 10
    package var maximumRecordingBytes = 100 << 20
    package var maximumRecordingTime = Duration.seconds(86_400)
    /// How many events wait in memory at most while the disk fails, and how many are written in one transaction.
    ///
    /// No key sets it.
    package var maximumPending = 10_000
  }

  /// What is written to the journal.
  package struct Journal: Sendable, Equatable {
    package var isEnabled = true
    /// Whether positions are written to the journal; they are personal data.
    package var coordinates = false
  }

  /// The sockets and what clients may ask of them.
  package struct Socket: Sendable, Equatable {
    package var runtimeDirectory = "/run/geofenced"
    /// The connections of the events socket have the same limits.
    package var varlink = VarlinkLimits()
  }

  /// What one user may have.
  package struct Limits: Sendable, Equatable {
    package var maximumConditionsPerUser = 100_000
    package var maximumVerticesPerUser = 1_000_000
    package var maximumMonitorsPerUser = 1_000
    package var maximumSessionsPerUser = 16
    package var maximumConsumersPerUser = 100
  }

  /// Which units are started when events wait.
  package struct Launch: Sendable, Equatable {
    package var units: [MonitorKey: UnitName] = [:]
    /// The shortest time between two starts for one monitor.
    package var interval = Duration.seconds(10)
  }

  package var receiver = Receiver()
  /// How reports become fixes.
  package var positioning = PositioningParameters()
  /// How fixes become decisions.
  package var decision = DecisionParameters()
  /// When the receiver is at rest.
  package var stationary = StationaryParameters()
  /// What happens while it is.
  package var pause = PauseParameters()
  package var storage = Storage()
  package var journal = Journal()
  package var socket = Socket()
  package var limits = Limits()
  package var launch = Launch()

  /// The defaults.
  package init() {}

  /// Takes all numbers of a live configuration, also in place of those that were set one by one.
  package mutating func apply(_ live: LiveConfiguration) {
    let row = live.parameters
    receiver.live = live
    stationary = row.stationary
    maximumAcceleration = row.stationary.maximumAcceleration
    pause.after = row.pauseAfter
    positioning.maximumSpeed = row.maximumSpeed
    // The row also says how many fixes, and for how long, have to agree on a change.
    decision.enterFixes = row.enterFixes
    decision.enterTime = row.enterTime
    decision.exitFixes = row.exitFixes
    decision.exitTime = row.exitTime
    decision.creepingSpeed = row.creepingSpeed
  }

  /// What to say after a reload if keys have changed that take effect only at the start; nil if none has.
  func noticeOfStart(insteadOf running: Configuration) -> String? {
    let names = ConfigurationSection.keysOfStart.filter { !$0.isEqual(in: self, and: running) }
      .map { "\($0.name)=" }
    guard let last = names.last else { return nil }
    return names.count == 1
      ? "\(last) is taken at the next start"
      : "\(names.dropLast().joined(separator: ", ")) and \(last) are taken at the next start"
  }

  /// The one receiver to listen to, as gpsd names it; empty for all.
  var device: String {
    get { receiver.gpsd.device ?? "" }
    set { receiver.gpsd.device = newValue.isEmpty ? nil : newValue }
  }

  /// After how long without a fix the states are unknown.
  ///
  /// Two fixes may be at least so far apart without being taken for a jump in time.
  var unknownAfter: Duration {
    get { decision.unknownAfter }
    set {
      decision.unknownAfter = newValue
      positioning.longestSilence = max(PositioningParameters().longestSilence, newValue)
    }
  }

  /// The accuracy in metres of fixes that tell none: the filter and the engine both have a copy.
  var defaultAccuracy: Double {
    get { positioning.defaultAccuracy }
    set {
      positioning.defaultAccuracy = newValue
      decision.defaultAccuracy = newValue
    }
  }

  /// The largest acceleration in m/s² that is believed: the search for rest and the engine both have a copy.
  var maximumAcceleration: Double {
    get { decision.maximumAcceleration }
    set {
      stationary.maximumAcceleration = newValue
      decision.maximumAcceleration = newValue
    }
  }

  /// How long a jump that contradicts the receiver's own speed has to last to be believed: the filter and the engine
  /// both have a copy.
  var jumpTime: Duration {
    get { positioning.jumpTime }
    set {
      positioning.jumpTime = newValue
      decision.jumpTime = newValue
    }
  }
}
