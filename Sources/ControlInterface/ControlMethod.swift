package import Varlink

/// A method of `io.geofenced`, with what goes in and what comes out.
package protocol ControlMethod {
  associatedtype Parameters: Codable & Sendable
  associatedtype Reply: Codable & Sendable

  /// The name as it is called, without the interface.
  static var name: String { get }
}

extension ControlMethod {
  /// The name with the interface, as it goes over the socket.
  package static var qualifiedName: String { "\(GeofencedInterface.name).\(name)" }
}

extension VarlinkConnection {
  /// Calls a method and waits for its answer.
  ///
  /// - Throws: ``VarlinkError`` that the service answered with, ``VarlinkConnectionError``, or
  ///   `CancellationError`.
  @discardableResult
  package func call<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    try await call(method.qualifiedName, parameters)
  }

  /// Calls a method with `more`: its answers, as they come.
  ///
  /// - Parameter prompt: which answers come at once, so that a service which doesn't send one in the time
  ///   of a call is given up.
  package func stream<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, prompt: VarlinkPromptReplies = .none
  ) -> VarlinkReplySequence<Method.Reply, Method.Parameters> {
    stream(method.qualifiedName, parameters, prompt: prompt)
  }
}

/// The parameters of a method that only asks whose things are meant.
package struct OwnerParameters: Codable, Sendable {
  /// Nil is who calls; for root, everybody.
  package var user: UInt32?

  package init(user: UInt32? = nil) {
    self.user = user
  }
}
