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

/// The parameters of a method that only asks whose things are meant.
package struct OwnerParameters: Codable, Sendable {
  /// Nil is who calls; for root, everybody.
  package var user: UInt32?

  package init(user: UInt32? = nil) {
    self.user = user
  }
}
