package import Varlink

/// A method of `io.geofenced`, with its parameters and its reply.
package protocol ControlMethod {
  associatedtype Parameters: Codable & Sendable
  associatedtype Reply: Codable & Sendable

  /// The name of the method, without the interface.
  static var name: String { get }
}

extension ControlMethod {
  /// The name with the interface, as it is sent.
  package static var qualifiedName: String { "\(GeofencedInterface.name).\(name)" }
}

extension VarlinkConnection {
  /// Calls a method and waits for its reply.
  ///
  /// - Throws: The ``VarlinkError`` that the service replies, ``VarlinkConnectionError``, or
  ///   `CancellationError`.
  @discardableResult
  package func call<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    try await call(method.qualifiedName, parameters)
  }

  /// Calls a method with `more`, and returns its replies as they come.
  ///
  /// - Parameter prompt: The replies that the service sends without delay; if one of them doesn't come within the
  ///   time for a call, that is an error.
  package func stream<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, prompt: VarlinkPromptReplies = .none
  ) -> VarlinkReplySequence<Method.Reply, Method.Parameters> {
    stream(method.qualifiedName, parameters, prompt: prompt)
  }
}

/// The parameters of methods that need only an owner.
package struct OwnerParameters: Codable, Sendable {
  /// The owner's uid; nil is the caller, but all users for root.
  package var user: UInt32?

  package init(user: UInt32? = nil) {
    self.user = user
  }
}
