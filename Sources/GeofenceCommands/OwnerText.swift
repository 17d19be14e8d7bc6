/// How it is told whose a condition is: two users may each have one of the same name.
enum OwnerText {
  /// `UID:` in front of a name where that belongs to somebody else than who looks; else nothing.
  ///
  /// - Parameter viewer: Whose names stand alone; nil where all do.
  static func prefix(_ user: UInt32, to viewer: UInt32?) -> String {
    guard let viewer, user != viewer else { return "" }
    return "\(user):"
  }
}
