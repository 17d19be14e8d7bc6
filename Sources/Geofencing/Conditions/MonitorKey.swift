/// Names a monitor of a user.
///
/// Two users may use the same name.
package struct MonitorKey: Sendable, Hashable, Comparable {
  /// The uid of the owner.
  package let user: UInt32

  /// The monitor's name.
  package let name: String

  package init(user: UInt32, name: String) {
    self.user = user
    self.name = name
  }

  package static func < (a: MonitorKey, b: MonitorKey) -> Bool {
    (a.user, a.name) < (b.user, b.name)
  }
}
