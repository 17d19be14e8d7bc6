import CommandLineParsing

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

  /// The owner that stands in front of a name, if any, and the rest.
  static func split(_ name: String) -> (user: UInt32?, name: String) {
    guard let colon = name.firstIndex(of: ":"), let number = Int(strict: name[..<colon]),
      let user = UInt32(exactly: number), user != .max
    else { return (nil, name) }
    return (user, String(name[name.index(after: colon)...]))
  }
}
