import JSONCoding

/// An error that is sent to a caller: a name that tells errors apart, and parameters.
///
/// Handlers throw it, and callers of ``VarlinkConnection`` catch it.
package struct VarlinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The full name, for example `org.varlink.service.MethodNotFound`.
  package let name: String

  /// The whole reply, in the form in which it is sent or was received.
  let reply: [UInt8]

  private struct Sentence: Decodable {
    let message: String?
  }

  /// An error with parameters; if JSON can't express them (an infinite number), it has none.
  package init(_ name: String, _ parameters: some Encodable = NoParameters()) {
    self.name = name
    let encoded =
      (try? CanonicalJSON.encode(ErrorReply(error: name, parameters: parameters)))
      ?? (try? CanonicalJSON.encode(ErrorReply(error: name, parameters: NoParameters())))
    reply = encoded ?? []
  }

  /// An error with a sentence for people as its parameter `message`.
  package init(_ name: String, message: String) {
    self.init(name, ["message": message])
  }

  init(name: String, receivedAs reply: [UInt8]) {
    self.name = name
    self.reply = reply
  }

  /// The error's parameters.
  ///
  /// - Throws: `DecodingError` if they are of another type.
  package func parameters<Parameters: Decodable>(
    as type: Parameters.Type = Parameters.self
  ) throws -> Parameters {
    try CanonicalJSON.decode(MessageParameters<Parameters>.self, from: reply).value
  }

  /// The sentence for people; nil if the error has none.
  package var message: String? {
    (try? parameters(as: Sentence.self))?.message
  }

  package var description: String { message ?? name }
}

extension VarlinkError {
  /// The errors of `org.varlink.service` that any call may get.
  package enum Standard: String, Sendable {
    case interfaceNotFound = "org.varlink.service.InterfaceNotFound"
    case methodNotFound = "org.varlink.service.MethodNotFound"
    case methodNotImplemented = "org.varlink.service.MethodNotImplemented"
    case invalidParameter = "org.varlink.service.InvalidParameter"
    case permissionDenied = "org.varlink.service.PermissionDenied"
    case expectedMore = "org.varlink.service.ExpectedMore"
  }

  /// The standard error that this is; nil if it is another one.
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

/// A reason for which the server refuses a request, before any method gets it.
///
/// The standard has no errors for these. So one of the program's interfaces must describe errors with these names.
package enum VarlinkFault: String, Sendable, CaseIterable {
  case messageTooLong = "MessageTooLong"
  case malformedMessage = "MalformedMessage"
  case tooManyRequests = "TooManyRequests"
  case tooManyConnections = "TooManyConnections"

  /// The fault that an error of some interface stands for; nil if it is another error.
  package init?(of error: VarlinkError) {
    guard let name = error.name.split(separator: ".").last else { return nil }
    self.init(rawValue: String(name))
  }
}
