package import JSONCoding
import LinuxSystem

/// Sends replies before the last one.
package struct VarlinkReplies<Output>: Sendable {
  let call: VarlinkCall
  let writer: ReplyWriter

  /// Makes the message of a reply; `continues` is true if other replies follow.
  let encode: @Sendable (Output, _ continues: Bool?) throws -> [UInt8]

  /// Sends a reply that isn't the last; returns when the system has taken it, so a slow caller slows the handler down.
  ///
  /// - Throws: `ExpectedMore` if the caller accepts only one reply; another error if the caller hung up or doesn't
  ///   read. The handler should pass it on.
  package func send(_ reply: Output) async throws {
    try call.requireMore()
    try await writer.write(encode(reply, true))
  }
}

extension VarlinkReplies {
  /// How many unread bytes the system keeps if old replies are worthless: the least that it allows.
  private static var fewestBytes: Int { 4096 }

  /// The same replies, for a caller that wants the newest ones even if it is slow.
  ///
  /// Only a few replies wait to be read, and there is no time limit for reading them, because nothing piles up. This
  /// holds for the whole connection, so the call should be its last.
  package func whereOldOnesAreWorthless() -> VarlinkReplies {
    writer.socket.limitUnread(toBytes: Self.fewestBytes)
    var writer = writer
    writer.timeout = nil
    return VarlinkReplies(call: call, writer: writer, encode: encode)
  }
}

/// A reply that writes its members itself, in the order of their names.
///
/// It is for replies most of which is JSON already.
package protocol WrittenReply {
  func write(to reply: inout JSONWriter) throws
}

/// Writes encoded messages to a connection.
struct ReplyWriter: Sendable {
  /// The connection can't be written to any more.
  struct ConnectionLost: Error {}

  let socket: StreamSocket

  /// How long the caller may read nothing; nil is without a limit.
  var timeout: Duration?

  let memory: MessageMemory.Share

  /// The error for a caller that leaves too much unread.
  let noRoom: VarlinkError

  /// - Throws: ``ConnectionLost``, or ``noRoom`` if nothing was written.
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
