package import JSONCoding
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

/// A reply that writes its members itself, in the order of their names: for those of which most is JSON
/// already.
package protocol WrittenReply {
  func write(to reply: inout JSONWriter) throws
}

/// Writes encoded messages to a connection.
struct ReplyWriter: Sendable {
  /// The connection can't be written to any more.
  struct ConnectionLost: Error {}

  let socket: StreamSocket

  /// How long the caller may read nothing; nil is for ever.
  var timeout: Duration?

  let memory: MessageMemory.Share

  /// What the caller is told who leaves too much unread.
  let noRoom: VarlinkError

  /// - Throws: ``ConnectionLost``, or ``noRoom`` when nothing was written.
  func write(_ message: [UInt8]) async throws {
    guard memory.hold(message.count, isReply: true) else { throw noRoom }
    defer { _ = memory.hold(0) }
    do {
      try await socket.write(message + [0], timeout: timeout)
    } catch {
      throw ConnectionLost()
    }
  }
}
