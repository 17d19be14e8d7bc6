package import Geofencing

/// A record that is there and makes no sense.
package struct UnreadableRecord: Error, CustomStringConvertible {
  /// Whose record it is.
  package let key: ConditionKey

  /// Whether the key is damaged, so that no record can have it.
  var isKeyDamaged = false

  package var description: String {
    let (user, monitor) = (key.monitor.user, key.monitor.name)
    guard !isKeyDamaged else {
      func isNoName(_ column: String) -> String {
        "typeof(\(column)) <> 'text' OR \(column) = '' OR \(column) GLOB '*[^-A-Za-z0-9._]*'"
      }
      return "the name of a condition is damaged: \(Identifier.quoted(key.identifier)) of monitor "
        + "\(Identifier.quoted(monitor)) of user \(user). Without what is damaged so the others are "
        + "watched again: sqlite3 FILE \"DELETE FROM condition WHERE \(isNoName("identifier")) OR "
        + "\(isNoName("monitor")) OR typeof(user) <> 'integer' "
        + "OR user NOT BETWEEN 0 AND 4294967295\""
    }
    return "the condition '\(key.identifier)' of monitor '\(monitor)' of user \(user) can't be "
      + "read: was it stored by a newer geofenced? Without it the others are watched again: sqlite3 FILE "
      + "\"DELETE FROM condition WHERE user = \(user) AND monitor = '\(monitor)' AND identifier = "
      + "'\(key.identifier)'\""
  }
}
