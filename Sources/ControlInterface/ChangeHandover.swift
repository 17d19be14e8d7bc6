package import Varlink

/// A change that is handed to the daemon part by part, on one connection.
package struct ChangeHandover {
  private var unfinished: Change.Parameters
  private var last: [NewCondition]?

  /// A change of which no part was handed over yet.
  package init(user: UInt32?, monitor: String?) {
    unfinished = Change.Parameters(user: user, monitor: monitor)
    unfinished.unfinished = true
  }

  /// Adds the next part, and hands over the part before it.
  ///
  /// A part is kept until there is another one, as the last part goes into ``finish``.
  ///
  /// - Parameter call: Makes a call; if the call is refused as too much, it may be repeated.
  /// - Throws: What the call throws.
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

  /// The parameters of the call that finishes the change, with its last part.
  package var finish: Change.Parameters {
    var change = unfinished
    change.unfinished = nil
    change.conditions = last
    return change
  }
}
