package import Varlink

/// A change whose parts the daemon is handed one after the other, while the next ones are made.
package struct ChangeHandover {
  private var unfinished: Change.Parameters
  private var last: (conditions: [NewCondition], written: [UInt8])?

  /// A change of which nothing is handed over yet.
  package init(user: UInt32?, monitor: String?) {
    unfinished = Change.Parameters(user: user, monitor: monitor)
    unfinished.unfinished = true
  }

  /// Takes the next part, and hands over the one before: whether a part is the last one is seen when there
  /// is no other.
  ///
  /// - Parameter connection: the same one for all parts.
  /// - Throws: what the call throws; then the daemon has given the change up.
  package mutating func add(
    _ part: [NewCondition], over connection: VarlinkConnection
  ) async throws {
    async let written = NewCondition.written(part)
    if let last {
      let call = try VarlinkConnection.EncodedCall(Change.qualifiedName) {
        unfinished.write(to: &$0, conditions: last.written)
      }
      unfinished.change = try await connection.call(
        call, returning: Change.Reply.self
      ).change
    }
    last = (part, try await written)
  }

  /// What the call is made with that finishes the change, and has its last part.
  package var finish: Change.Parameters {
    var change = unfinished
    change.unfinished = nil
    change.conditions = last?.conditions
    return change
  }
}
