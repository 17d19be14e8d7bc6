/// An error of `io.geofenced`, with a sentence for people.
package struct ControlError: Error, Hashable, CustomStringConvertible {
  /// The errors of the interface; Docs/Protocol.md says what to do about each.
  package enum Name: String, Sendable {
    case invalidCondition = "InvalidCondition"
    case noSuchCondition = "NoSuchCondition"
    case noSuchChange = "NoSuchChange"
    case noSuchEvent = "NoSuchEvent"
    case quotaExceeded = "QuotaExceeded"
    case permissionDenied = "PermissionDenied"
    case persistenceUnavailable = "PersistenceUnavailable"
    case noSuchSession = "NoSuchSession"
    case sessionInvalidated = "SessionInvalidated"
    case noSuchConsumer = "NoSuchConsumer"
    case consumerInUse = "ConsumerInUse"
    case noSuchRecording = "NoSuchRecording"
    case recordingRefused = "RecordingRefused"
    case internalError = "InternalError"

    /// The full name, as it is sent.
    package var qualified: String { "\(GeofencedInterface.name).\(rawValue)" }

    /// The error with a full name; nil for errors of other interfaces.
    package init?(qualified: String) {
      let interface = "\(GeofencedInterface.name)."
      guard qualified.hasPrefix(interface) else { return nil }
      self.init(rawValue: String(qualified.dropFirst(interface.count)))
    }
  }

  /// The error of the interface.
  package let name: Name
  package let description: String

  package init(_ name: Name, _ description: String) {
    self.name = name
    self.description = description
  }
}
