import JSONCoding

/// An error that goes over the wire: a name to switch on, and parameters.
///
/// Handlers throw it, and the caller of ``VarlinkConnection`` catches it.
package struct VarlinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The full name, for example `org.varlink.service.MethodNotFound`.
  package let name: String

  /// The whole reply, as it is sent or was received.
  let reply: [UInt8]

  private struct Sentence: Decodable {
    let message: String?
  }

  /// An error with parameters; what JSON can't carry (an infinite number) leaves them empty.
  package init(_ name: String, _ parameters: some Encodable = NoParameters()) {
    self.name = name
    let encoded =
      (try? CanonicalJSON.encode(ErrorReply(error: name, parameters: parameters)))
      ?? (try? CanonicalJSON.encode(ErrorReply(error: name, parameters: NoParameters())))
    reply = encoded ?? []
  }

  /// An error with a sentence for a person as its parameter `message`.
  package init(_ name: String, message: String) {
    self.init(name, ["message": message])
  }

  init(name: String, receivedAs reply: [UInt8]) {
    self.name = name
    self.reply = reply
  }

  /// The error's parameters.
  ///
  /// - Throws: `DecodingError` when they are of another type.
  package func parameters<Parameters: Decodable>(
    as type: Parameters.Type = Parameters.self
  ) throws -> Parameters {
    try CanonicalJSON.decode(MessageParameters<Parameters>.self, from: reply).value
  }

  /// The sentence for a person, where the error has one.
  package var message: String? {
    (try? parameters(as: Sentence.self))?.message
  }

  package var description: String { message ?? name }
}

extension VarlinkError {
  /// The errors of `org.varlink.service` that any call may meet.
  package enum Standard: String, Sendable {
    case interfaceNotFound = "org.varlink.service.InterfaceNotFound"
    case methodNotFound = "org.varlink.service.MethodNotFound"
    case methodNotImplemented = "org.varlink.service.MethodNotImplemented"
    case invalidParameter = "org.varlink.service.InvalidParameter"
    case permissionDenied = "org.varlink.service.PermissionDenied"
    case expectedMore = "org.varlink.service.ExpectedMore"
  }

  /// Which of the standard errors this is.
  package var standard: Standard? { Standard(rawValue: name) }

  /// No interface of that name is served.
  package static func interfaceNotFound(_ interface: String) -> VarlinkError {
    VarlinkError(Standard.interfaceNotFound.rawValue, ["interface": interface])
  }

  /// The interface has no method of that name.
  package static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError(Standard.methodNotFound.rawValue, ["method": method])
  }

  /// The method is described but can't be called.
  static func methodNotImplemented(_ method: String) -> VarlinkError {
    VarlinkError(Standard.methodNotImplemented.rawValue, ["method": method])
  }

  /// A parameter, named by its path, is unknown, missing, or of the wrong type or value.
  package static func invalidParameter(_ path: String, message: String) -> VarlinkError {
    VarlinkError(
      Standard.invalidParameter.rawValue, ["parameter": path, "message": message])
  }

  /// The method answers more than once, and the caller didn't ask for `more`.
  package static let expectedMore = VarlinkError(Standard.expectedMore.rawValue)
}

/// A request that the server refuses before any method sees it.
///
/// Their names belong to an interface of the program, which must describe them: the standard has
/// none for them.
package enum VarlinkFault: String, Sendable, CaseIterable {
  case messageTooLong = "MessageTooLong"
  case malformedMessage = "MalformedMessage"
  case tooManyRequests = "TooManyRequests"
  case tooManyConnections = "TooManyConnections"

  /// What an error of some interface tells of; nil of any other.
  package init?(of error: VarlinkError) {
    guard let name = error.name.split(separator: ".").last else { return nil }
    self.init(rawValue: String(name))
  }
}
