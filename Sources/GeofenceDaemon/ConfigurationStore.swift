import EventDelivery
import Synchronization

/// The configuration in force, and a way to hear that it changed.
final class ConfigurationStore: Sendable {
  /// Grows with every change.
  let version = SequenceSignal(latest: 0)

  private let state: Mutex<Configuration>

  init(_ configuration: Configuration) {
    state = Mutex(configuration)
  }

  /// The configuration at this moment.
  var current: Configuration { state.withLock { $0 } }

  /// Puts another one in force as a whole.
  func replace(with configuration: Configuration) {
    state.withLock { $0 = configuration }
    version.announce(version.latest + 1)
  }
}

extension Configuration {
  /// What it says about monitoring.
  var monitoring: Monitoring.Settings {
    var settings = Monitoring.Settings()
    settings.decision = decision
    settings.eventRetention = storage.eventRetention
    settings.eventRetentionAge = storage.eventRetentionTime
    settings.checkpointInterval = storage.checkpoint
    settings.maximumConditionsPerUser = limits.maximumConditionsPerUser
    settings.maximumMonitorsPerUser = limits.maximumMonitorsPerUser
    return settings
  }
}
