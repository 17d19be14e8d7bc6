/// An error of `io.geofenced`, with a sentence for a person.
package struct ControlError: Error, Hashable, CustomStringConvertible {
  /// What went wrong, as the interface calls it: Docs/Protocol.md says what to do about each.
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

    /// The name as it goes over the socket.
    package var qualified: String { "\(GeofencedInterface.name).\(rawValue)" }

    /// The name that came over the socket; nil for errors of other interfaces.
    package init?(qualified: String) {
      let interface = "\(GeofencedInterface.name)."
      guard qualified.hasPrefix(interface) else { return nil }
      self.init(rawValue: String(qualified.dropFirst(interface.count)))
    }
  }

  /// Which error of the interface it is.
  package let name: Name
  package let description: String

  package init(_ name: Name, _ description: String) {
    self.name = name
    self.description = description
  }
}
