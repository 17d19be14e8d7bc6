/// How it is told whose a condition is: two users may each have one of the same name.
enum OwnerText {
  /// `UID:` in front of a name where that belongs to somebody else than who looks; else nothing.
  ///
  /// - Parameter viewer: Whose names stand alone; nil where all do.
  static func prefix(_ user: UInt32, to viewer: UInt32?) -> String {
    guard let viewer, user != viewer else { return "" }
    return "\(user):"
  }

  /// The name of a condition: its monitor and its identifier, with the owner where there has to be one.
  static func name(
    _ identifier: String, in monitor: String, of user: UInt32, to viewer: UInt32?
  ) -> String {
    "\(prefix(user, to: viewer))\(monitor)/\(identifier)"
  }
}
