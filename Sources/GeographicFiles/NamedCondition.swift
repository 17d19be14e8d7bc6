package import Geofencing

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
