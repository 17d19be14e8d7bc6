package import Varlink

/// A change of which the daemon is handed one part after the other, all on one connection.
package struct ChangeHandover {
  private var unfinished: Change.Parameters
  private var last: [NewCondition]?

  /// A change of which nothing is handed over yet.
  package init(user: UInt32?, monitor: String?) {
    unfinished = Change.Parameters(user: user, monitor: monitor)
    unfinished.unfinished = true
  }

  /// Takes the next part, and hands over the one before: whether a part is the last one is seen when there
  /// is no other.
  ///
  /// - Parameter call: makes a call; one that is refused as too much may be made again.
  /// - Throws: what the call throws.
  package mutating func add(
    _ part: [NewCondition],
    by call: (VarlinkConnection.EncodedCall) async throws -> Change.Reply
  ) async throws {
    if let last {
      let encoded = try VarlinkConnection.EncodedCall(Change.qualifiedName) {
        try unfinished.write(to: &$0, conditions: last)
      }
      unfinished.change = try await call(encoded).change
    }
    last = part
  }

  /// What the call is made with that finishes the change, and has its last part.
  package var finish: Change.Parameters {
    var change = unfinished
    change.unfinished = nil
    change.conditions = last
    return change
  }
}
