import LinuxSystem

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
