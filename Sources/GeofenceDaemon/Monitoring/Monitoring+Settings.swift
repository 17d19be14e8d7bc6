import Geofencing

extension Monitoring {
  /// What the configuration says about monitoring.
  struct Settings: Sendable, Equatable {
    var decision = DecisionParameters()
    var storage = Configuration.Storage()
    var limits = Configuration.Limits()

    /// How many events wait in memory at most while the disk fails, and how many are written at a
    /// time: all that wait then go into one transaction.
    var maximumPending = 10_000
  }
}

extension Configuration {
  /// What it says about monitoring.
  var monitoring: Monitoring.Settings {
    var settings = Monitoring.Settings()
    settings.decision = decision
    settings.storage = storage
    settings.limits = limits
    return settings
  }
}
