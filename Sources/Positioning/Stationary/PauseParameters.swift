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
  ///
  /// gpsd closes a device a minute after its last client has left (seen with 3.22): looking once a
  /// minute would keep it open for ever.
  package var probeInterval = Duration.seconds(180)

  /// How long a look waits for the first fix before it is given up.
  package static let fixTimeout = Duration.seconds(60)

  /// The same after so many looks without a fix: now and then four times as long, for receivers that take
  /// minutes after they were opened.
  ///
  /// In a garage none helps, so it isn't long each time. What was long enough for a fix remains so for the
  /// looks to come.
  static func fixTimeout(afterFruitless looks: Int) -> Duration { fixTimeout * (1 << (looks % 3)) }

  /// How many fixes, and for how long, a look takes at least.
  ///
  /// What these begin to confirm goes on: see ``PausePolicy/lookMayEnd``.
  static let lookFixes = 4

  /// See ``lookFixes``.
  static let lookTime = Duration.seconds(3)

  /// How long a look may take from the first fix on, by the machine's clock.
  static let lookTimeout = Duration.seconds(75)

  package init() {}
}
