import Synchronization

/// What a handler is told about a call besides its parameters.
package struct VarlinkCall: Sendable {
  /// The full name of the method.
  package let method: String

  /// The id of the user who calls.
  package let user: UInt32

  /// The connection over which the call came.
  package let connection: CallerConnection

  /// Whether the caller accepts more than one reply.
  package let wantsMore: Bool

  /// Whether the caller wants no reply at all, not even an error.
  package let isOneway: Bool

  /// Throws if the caller accepts only one reply.
  package func requireMore() throws(VarlinkError) {
    if !wantsMore { throw .expectedMore }
  }
}

/// The connection of a call, as handlers see it.
///
/// Handlers can keep values for it, which are released when it ends: a value can clean up in its `deinit`.
package final class CallerConnection: Sendable {
  private let kept = Mutex<[ObjectIdentifier: any Sendable]>([:])

  package init() {}

  /// The value of a type that is kept for this connection; the first call makes it.
  package func value<Value: AnyObject & Sendable>(_ make: () -> Value) -> Value {
    kept.withLock { kept in
      let type = ObjectIdentifier(Value.self)
      if let value = kept[type] as? Value { return value }
      let value = make()
      kept[type] = value
      return value
    }
  }
}
