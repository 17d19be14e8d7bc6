import Synchronization

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

/// The connection over which a call came, as the handlers of its calls know it.
///
/// What is kept for it is released when it ends: a value can do with its `deinit` what that takes.
package final class CallerConnection: Sendable {
  private let kept = Mutex<[ObjectIdentifier: any Sendable]>([:])

  package init() {}

  /// The value of a type that is kept for this connection; without one, it is made.
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
