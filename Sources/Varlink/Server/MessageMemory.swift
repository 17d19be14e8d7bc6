import Synchronization

/// How many bytes of messages each user has in memory, over all its connections.
///
/// A message of ordinary size doesn't count, so that large ones keep none of those out.
final class MessageMemory: Sendable {
  /// How many bytes of each message, and of what waits on each connection, don't count.
  static let free = 65_536

  private let limit: Int
  private let bytes = Mutex<[UInt32: Int]>([:])

  init(limit: Int) {
    self.limit = limit
  }

  /// How many bytes of a user count at present.
  func bytes(ofUser user: UInt32) -> Int { bytes.withLock { $0[user] ?? 0 } }

  /// Takes or gives back what is between two sizes of a user's messages; false when there is no room.
  ///
  /// - Parameter isReply: whether the caller can't make it shorter: alone it always fits.
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

  /// The part of the memory that one holder has taken; it is given back with its last reference.
  final class Share: Sendable {
    private let memory: MessageMemory
    private let user: UInt32
    private let size = Mutex(0)

    init(of memory: MessageMemory, user: UInt32) {
      self.memory = memory
      self.user = user
    }

    deinit { _ = memory.change(from: size.withLock { $0 }, to: 0, ofUser: user) }

    /// Takes as much as so many bytes need, or gives back what is too much; false when there is no
    /// room, and then the share stays as it was.
    ///
    /// - Parameter isReply: whether it is a reply, for which there is room where nothing else is.
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
