internal import ControlInterface
internal import Geofencing
internal import LinuxSystem
internal import Varlink

/// The service has no condition of that identifier, which callers may not see as an error.
struct NoSuchCondition: Error {}

extension MonitorError {
  var isInUse: Bool { if case .consumerInUse = self { true } else { false } }

  /// Why there is no connection.
  init(connectingTo path: String, _ error: Errno) {
    switch error {
    case .permissionDenied:
      self = .authorizationDenied(GeofencedInterface.refusal(ofSocket: path))
    case .noSuchFile, .connectionRefused:
      self = .serviceUnavailable("nothing answers on \(path); is geofenced running?")
    case .nameTooLong:
      self = .protocolViolation("'\(path)' can't be the path of a socket: it is empty or too long")
    default: self = .serviceUnavailable("connecting to \(path) failed: \(error)")
    }
  }

  /// The error of this type that an error of a call means.
  ///
  /// Cancellation and errors of this type stay as they are.
  static func translating(_ error: any Error) -> any Error {
    switch error {
    case let error as VarlinkError
    where error.name == ControlError.Name.noSuchCondition.qualified:
      NoSuchCondition()
    case let error as VarlinkError: MonitorError(error)
    case let error as VarlinkConnectionError: MonitorError(error)
    default: error
    }
  }

  private init(_ error: VarlinkConnectionError) {
    switch error {
    case .malformedReply, .replyTooLong, .busy: self = .protocolViolation(error.description)
    default: self = .serviceUnavailable(error.description)
    }
  }

  private init(_ error: VarlinkError) {
    let sentence = error.description
    switch ControlError.Name(qualified: error.name) {
    case .invalidCondition: self = .conditionInvalid(sentence)
    case .quotaExceeded: self = .quotaExceeded(sentence)
    case .permissionDenied: self = .authorizationDenied(sentence)
    case .consumerInUse: self = .consumerInUse(sentence)
    case .noSuchConsumer: self = .consumerRemoved(sentence)
    case .sessionInvalidated: self = .sessionInvalidated(sentence)
    case .persistenceUnavailable: self = .persistenceUnavailable(sentence)
    case .internalError: self = .serviceUnavailable("geofenced failed: \(sentence)")
    case _ where error.standard == .permissionDenied: self = .authorizationDenied(sentence)
    case _
    where [.tooManyRequests, .tooManyConnections].contains(VarlinkFault(of: error)):
      self = .tooManyRequests(sentence)
    // Not for an invalid parameter: the service's own message says what is wrong with it.
    case _ where error.standard != nil && error.standard != .invalidParameter:
      self = .protocolViolation("\(sentence); geofenced may be of another version")
    default: self = .protocolViolation(sentence)
    }
  }

  /// Refuses a name that the service would refuse.
  static func check(_ name: String, as what: String) throws(MonitorError) {
    guard Identifier.isValid(name) else {
      throw .invalidName(Identifier.refusal(of: name, as: what))
    }
  }
}
