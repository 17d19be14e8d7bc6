package import Geofencing

/// What a file of conditions holds.
package struct ConditionsFile: Sendable {
  package let format: GeographicFormat

  /// The conditions in the order of the file; none where they were handed out instead.
  package let conditions: [NamedCondition]

  /// What was left out or changed on purpose, one sentence each, for a person.
  package let notes: [String]
}

/// A condition that was read from a file.
package struct NamedCondition: Sendable, Hashable {
  /// A valid identifier, different from those of the others in the file.
  package let identifier: String

  package let condition: Condition

  /// The place of a condition in a file.
  struct Origin: Sendable, Hashable, CustomStringConvertible {
    let path: String
    /// Counted from 1.
    let line: Int
    /// What the format calls it: `feature`, `Placemark`, `wpt`.
    let kind: String
    /// Counted from 1 among those of its kind.
    let number: Int

    /// For a message: `places.geojson:12: feature 3`.
    var description: String { "\(path):\(line): \(kind) \(number)" }
  }
}
