package import Geofencing

/// The contents of a file of conditions.
package struct ConditionsFile: Sendable {
  package let format: GeographicFormat

  /// The conditions in the order of the file; empty if they were handed out while reading.
  package let conditions: [NamedCondition]

  /// What was left out or changed on purpose, one sentence each, for people.
  package let notes: [String]
}

/// A condition that was read from a file.
package struct NamedCondition: Sendable, Hashable {
  /// A valid identifier, unique in the file.
  package let identifier: String

  package let condition: Condition

  /// The place of a condition in a file.
  struct Origin: Sendable, Hashable, CustomStringConvertible {
    let path: String
    /// The number of the line, counted from 1.
    let line: Int
    /// The format's word for it: `feature`, `Placemark`, `wpt`.
    let kind: String
    /// Its number among those of its kind, counted from 1.
    let number: Int

    /// For a message: `places.geojson:12: feature 3`.
    var description: String { "\(path):\(line): \(kind) \(number)" }
  }
}
