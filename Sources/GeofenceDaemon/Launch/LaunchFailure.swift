import Systemd

/// Why a unit wasn't started, in a sentence that says what to do.
struct LaunchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failures, with the names of the launcher's errors.
  ///
  /// While events of a monitor wait, each kind is reported once in the journal.
  enum Kind: String, Sendable, CaseIterable {
    /// The user has no service manager that can be reached.
    case noManager = "NoManager"
    case noSuchUnit = "NoSuchUnit"
    case refused = "Refused"
    case timedOut = "TimedOut"
    case failed = "Failed"

    /// The daemon may not start it itself, and there is no launcher.
    case noLauncher = "NoLauncher"

    /// It was started again and again, and nobody read the events.
    case unread = "Unread"
  }

  let kind: Kind
  let description: String

  /// A failure in a sentence, which may come from another program.
  init(_ kind: Kind, _ sentence: String) {
    self.kind = kind
    description = sentence.oneLine(ofAtMost: 500)
  }

  /// The failure of a user's unit that a service manager's error means.
  init(_ error: UnitStartError, starting unit: UnitName, of user: UInt32) {
    let manager = user == 0 ? "the system" : "user \(user)"
    switch error {
    case .noManager where user != 0:
      self.init(
        .noManager,
        "user \(user) has no service manager that answers on \(UnitStarter.Manager.user(user).busPath): "
          + "it runs while the user is logged in, and always after 'loginctl enable-linger' "
          + "(the bus comes from dbus-user-session)")
    case .noManager:
      self.init(.noManager, "\(error): is D-Bus running ('systemctl status dbus.socket')?")
    case .timedOut:
      self.init(.timedOut, "the service manager of \(manager) did not answer in time")
    case .noSuchUnit(let sentence) where !sentence.contains(unit.description):
      // The missing unit is another one, which this one needs.
      self.init(.noSuchUnit, "the service manager of \(manager) refused \(unit): \(sentence)")
    case .noSuchUnit:
      let reload = user == 0 ? "systemctl daemon-reload" : "systemctl --user daemon-reload"
      self.init(
        .noSuchUnit,
        "\(manager) has no unit \(unit): install it and run '\(reload)', or set another one with "
          + "'geofenced ctl monitor set'")
    case .refused(let sentence):
      self.init(.refused, "the service manager of \(manager) refused: \(sentence)")
    case .failed:
      self.init(.failed, "\(error)")
    }
  }
}
