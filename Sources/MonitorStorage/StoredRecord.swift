package import Geofencing

/// A condition as it is kept: what is watched, what is known, and the last event.
package struct StoredRecord: Sendable, Equatable {
  package let key: ConditionKey
  package let condition: Condition
  package var status: ConditionStatus

  /// When it was added, by the system's clock.
  package let added: Timestamp

  /// The last event that was logged for it, other than `crossed`.
  package let lastEvent: Event?
}
