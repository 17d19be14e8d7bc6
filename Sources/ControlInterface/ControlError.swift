/// An error of `io.geofenced`, with a sentence for a person.
package enum ControlError: Error, Hashable, CustomStringConvertible {
  case invalidCondition(String)
  case noSuchCondition(String)
  case noSuchChange(String)
  case noSuchEvent(String)
  case quotaExceeded(String)
  case permissionDenied(String)
  case persistenceUnavailable(String)
  case noSuchSession(String)
  case sessionInvalidated(String)
  case noSuchConsumer(String)
  case consumerInUse(String)
  case noSuchRecording(String)
  case recordingRefused(String)

  /// The name as it goes over the socket.
  package var qualifiedName: String {
    let name =
      switch self {
      case .invalidCondition: "InvalidCondition"
      case .noSuchCondition: "NoSuchCondition"
      case .noSuchChange: "NoSuchChange"
      case .noSuchEvent: "NoSuchEvent"
      case .quotaExceeded: "QuotaExceeded"
      case .permissionDenied: "PermissionDenied"
      case .persistenceUnavailable: "PersistenceUnavailable"
      case .noSuchSession: "NoSuchSession"
      case .sessionInvalidated: "SessionInvalidated"
      case .noSuchConsumer: "NoSuchConsumer"
      case .consumerInUse: "ConsumerInUse"
      case .noSuchRecording: "NoSuchRecording"
      case .recordingRefused: "RecordingRefused"
      }
    return "\(GeofencedInterface.name).\(name)"
  }

  package var description: String {
    switch self {
    case .invalidCondition(let message), .noSuchCondition(let message), .noSuchChange(let message),
      .noSuchEvent(let message), .quotaExceeded(let message), .permissionDenied(let message),
      .persistenceUnavailable(let message), .noSuchSession(let message),
      .sessionInvalidated(let message), .noSuchConsumer(let message),
      .consumerInUse(let message), .noSuchRecording(let message),
      .recordingRefused(let message):
      message
    }
  }
}
