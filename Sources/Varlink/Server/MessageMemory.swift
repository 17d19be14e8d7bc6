import Synchronization

/// Counts the bytes of messages that each user has in memory, over all connections of the user.
///
/// The first 64 KiB of each message don't count, so a user's long messages don't keep out its ordinary ones.
final class MessageMemory: Sendable {
  /// The number of bytes that don't count, of each message and of the unread bytes on each connection.
  static let free = 65_536

  private let limit: Int
  private let bytes = Mutex<[UInt32: Int]>([:])

  init(limit: Int) {
    self.limit = limit
  }

  /// How many counted bytes a user has in memory.
  func bytes(ofUser user: UInt32) -> Int { bytes.withLock { $0[user] ?? 0 } }

  /// Changes the counted size of one of a user's messages; false if there is no room.
  ///
  /// - Parameter isReply: Whether it is a reply, whose length the caller can't choose: it always fits if nothing else
  ///   of the user is counted.
  fileprivate func change(
    from old: Int, to new: Int, ofUser user: UInt32, isReply: Bool = false
  ) -> Bool {
    let growth = max(0, new - Self.free) - max(0, old - Self.free)
    guard growth != 0 else { return true }
    return bytes.withLock { bytes in
      let sum = (bytes[user] ?? 0) + growth
      if growth > 0, sum > limit, !isReply || bytes[user] != nil { return false }
      bytes[user] = sum == 0 ? nil : sum
      return true
    }
  }

  /// The memory that one holder has taken; it is given back when the last reference is released.
  final class Share: Sendable {
    private let memory: MessageMemory
    private let user: UInt32
    private let size = Mutex(0)

    init(of memory: MessageMemory, user: UInt32) {
      self.memory = memory
      self.user = user
    }

    deinit { _ = memory.change(from: size.withLock { $0 }, to: 0, ofUser: user) }

    /// Changes the size of this share; false if there is no room, and then the share stays as it was.
    ///
    /// - Parameter isReply: Whether it is a reply: that always fits if nothing else of the user is counted.
    func hold(_ bytes: Int, isReply: Bool = false) -> Bool {
      size.withLock { size in
        guard memory.change(from: size, to: bytes, ofUser: user, isReply: isReply) else {
          return false
        }
        size = bytes
        return true
      }
    }
  }
}
