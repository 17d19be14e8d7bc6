import LinuxSystem

/// Sends the replies before the last one.
package struct VarlinkReplies<Output>: Sendable {
  let call: VarlinkCall
  let writer: ReplyWriter

  /// Makes a message of a reply; others follow it or don't.
  let encode: @Sendable (Output, _ continues: Bool?) throws -> [UInt8]

  /// Sends a reply that others follow; returns when the system has taken it, so a slow caller
  /// slows the handler down.
  ///
  /// - Throws: `ExpectedMore` when the caller takes one reply only; another error when the caller
  ///   hung up or doesn't read. The handler should let it pass through.
  package func send(_ reply: Output) async throws {
    try call.requireMore()
    try await writer.write(encode(reply, true))
  }
}

extension VarlinkReplies {
  /// How many bytes that the caller hasn't read the system keeps where old replies are worthless: the
  /// fewest that it allows.
  private static var fewestBytes: Int { 4096 }

  /// The same replies for a method of which a slow caller wants the newest: only a few wait to be
  /// read, and one who reads nothing is waited for, because nothing piles up meanwhile.
  ///
  /// It holds for the connection, whose last call this should be.
  package func whereOldOnesAreWorthless() -> VarlinkReplies {
    writer.socket.limitUnread(toBytes: Self.fewestBytes)
    var writer = writer
    writer.timeout = nil
    return VarlinkReplies(call: call, writer: writer, encode: encode)
  }
}
