/// A consumer that a user has named: whose, of which monitor (nil is all), and its name.
package struct ConsumerKey: Sendable, Hashable {
  package let owner: UInt32
  package let monitor: String?
  package let name: String

  package init(owner: UInt32, monitor: String?, name: String) {
    self.owner = owner
    self.monitor = monitor
    self.name = name
  }

  /// The name under which its cursor is kept.
  ///
  /// Names of monitors have no slash, so no two keys share one.
  package var storedName: String { "named/\(owner)/\(monitor ?? "")/\(name)" }
}
