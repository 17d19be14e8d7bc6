public import FoundationEssentials

/// What can go wrong with a monitor, location updates or a session, with a sentence for a person.
public enum MonitorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// This process has the monitor open already, as the same consumer, or waits for the next update of
  /// the same loop already.
  case alreadyOpen(String)

  /// A name or an identifier isn't 1 to 128 characters of `A-Z a-z 0-9 . _ -`, or an event is acknowledged that is of
  /// another monitor.
  case invalidName(String)

  /// A condition can't be watched: a number is out of range, a ring or a line isn't one, it has expired,
  /// or it can't be assumed to be in that state.
  case conditionInvalid(String)

  /// The user would have more conditions, monitors, or positions in polygons and corridors than the
  /// service allows, has added too many conditions within an hour, or has too many changes under way in other
  /// programs.
  ///
  /// The last two pass: of the hour the sentence says when.
  case conditionLimitExceeded(String)

  /// The service doesn't know this kind of condition.
  case conditionUnsupported(String)

  /// The user has as many consumers or sessions as the service allows.
  case quotaExceeded(String)

  /// The user may not use the service, or what belongs to somebody else.
  case authorizationDenied(String)

  /// Another process reads the monitor's events as the same consumer.
  case consumerInUse(String)

  /// Somebody removed the consumer while its events were read.
  case consumerRemoved(String)

  /// Somebody ended the session.
  case sessionInvalidated(String)

  /// The service can't write to its disk, or read from it.
  case persistenceUnavailable(String)

  /// The service can't be reached, takes too long to answer, or has failed.
  case serviceUnavailable(String)

  /// The service is asked too much at once.
  case tooManyRequests(String)

  /// The service answers what this library doesn't understand, or its socket has a path that can't be one.
  case protocolViolation(String)

  /// One line that says what is wrong and, where something can be done, what.
  public var description: String {
    switch self {
    case .alreadyOpen(let sentence), .invalidName(let sentence), .conditionInvalid(let sentence),
      .conditionLimitExceeded(let sentence), .conditionUnsupported(let sentence),
      .quotaExceeded(let sentence), .authorizationDenied(let sentence),
      .consumerInUse(let sentence), .consumerRemoved(let sentence),
      .sessionInvalidated(let sentence), .persistenceUnavailable(let sentence),
      .serviceUnavailable(let sentence), .tooManyRequests(let sentence),
      .protocolViolation(let sentence):
      sentence
    }
  }

  /// Whether the same may succeed later without anybody doing anything here, as when the service starts again.
  ///
  /// False for ``conditionLimitExceeded(_:)``, although that passes too where it was other programs' changes that
  /// were under way, or too many additions within an hour.
  public var isTransient: Bool {
    switch self {
    case .serviceUnavailable, .persistenceUnavailable, .tooManyRequests: true
    default: false
    }
  }
}

extension MonitorError: LocalizedError {
  /// The same as ``description``, so that `localizedDescription` is, too.
  public var errorDescription: String? { description }
}
