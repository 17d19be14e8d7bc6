/// What a handler knows about a call besides its parameters.
package struct VarlinkCall: Sendable {
  /// The full name of the method.
  package let method: String

  /// Who calls.
  package let user: UInt32

  /// The connection that it came over.
  package let connection: CallerConnection

  /// Whether the caller takes more than one reply.
  package let wantsMore: Bool

  /// Whether the caller takes no reply at all, not even an error.
  package let isOneway: Bool

  /// Refuses a caller who takes one reply only.
  package func requireMore() throws(VarlinkError) {
    if !wantsMore { throw .expectedMore }
  }
}
