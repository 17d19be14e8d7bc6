import CommandLineParsing

/// The owner in front of a condition's name: two users may have conditions of the same name.
enum OwnerText {
  /// `UID:` in front of a name of another user than the viewer; else an empty text.
  ///
  /// - Parameter viewer: The user whose names have no owner; nil if none has one.
  static func prefix(_ user: UInt32, to viewer: UInt32?) -> String {
    guard let viewer, user != viewer else { return "" }
    return "\(user):"
  }

  /// The name of a condition: its monitor and its identifier, with the owner if it isn't the viewer's.
  static func name(
    _ identifier: String, in monitor: String, of user: UInt32, to viewer: UInt32?
  ) -> String {
    "\(prefix(user, to: viewer))\(monitor)/\(identifier)"
  }

  /// The owner in front of a name, nil if there is none, and the rest.
  static func split(_ name: String) -> (user: UInt32?, name: String) {
    guard let colon = name.firstIndex(of: ":"), let number = Int(strict: name[..<colon]),
      let user = UInt32(exactly: number), user != .max
    else { return (nil, name) }
    return (user, String(name[name.index(after: colon)...]))
  }
}
