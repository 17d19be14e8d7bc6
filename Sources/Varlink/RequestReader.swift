import LinuxSystem
import Synchronization

/// Reads the long requests of one user one after the other, on a thread of its own.
///
/// To check a polygon of very many corners takes seconds, and to read a long message many times its
/// memory. So a user has one of them read at a time, and none keeps the threads busy on which all others
/// are answered.
actor RequestReader {
  private let executor = SerialQueueExecutor(label: "geofenced.requests")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// From how many bytes on a request is long.
  static let long = 16_384

  /// The parameters of a request.
  ///
  /// - Throws: the ``VarlinkError`` that says what is wrong with them, or `CancellationError` where
  ///   nobody waits for it any more.
  func input<Input: Decodable & SendableMetatype>(
    of request: VarlinkRequest
  ) throws -> sending Input {
    try Task.checkCancellation()
    guard !request.socket.isHungUp else { throw CancellationError() }
    return try request.parameters()
  }
}

/// The readers of those who are connected.
final class RequestReaders: Sendable {
  private struct Weak {
    weak let reader: RequestReader?
  }

  private let readers = Mutex<[UInt32: Weak]>([:])

  /// The reader that a user's connections share, for as long as one of them keeps it.
  func reader(ofUser user: UInt32) -> RequestReader {
    readers.withLock { readers in
      if let reader = readers[user]?.reader { return reader }
      readers = readers.filter { $0.value.reader != nil }
      let reader = RequestReader()
      readers[user] = Weak(reader: reader)
      return reader
    }
  }
}
