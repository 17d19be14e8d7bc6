/// Cuts a stream of bytes into frames that end with a delimiter.
///
/// Between two reads it holds no more than the limit: a frame that grows beyond it is reported once, as
/// ``Frame/tooLong``, and the rest of it is dropped as it comes.
package struct FrameBuffer: Sendable {
  /// A piece of the stream.
  package enum Frame: Sendable, Hashable {
    /// The bytes before a delimiter.
    case frame([UInt8])

    /// A frame longer than the limit, whose bytes are lost.
    case tooLong
  }

  private let delimiter: UInt8
  private let limit: Int
  private(set) var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var isSkipping = false

  /// A buffer for frames of at most `limit` bytes.
  package init(delimiter: UInt8, limit: Int) {
    self.delimiter = delimiter
    self.limit = limit
  }

  /// A buffer of more than twice this many bytes is given back when it is empty.
  private static let kept = 65_536

  /// Whether bytes of a frame that isn't complete are waiting.
  package var holdsPart: Bool { start < bytes.count || isSkipping }

  /// How many bytes wait to become frames.
  package var count: Int { bytes.count - start }

  /// Adds what was read.
  package mutating func append(_ more: [UInt8]) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// The next whole frame, or nil when more must be read first.
  package mutating func next() -> Frame? {
    while true {
      guard let end = bytes[searched...].firstIndex(of: delimiter) else {
        searched = bytes.count
        if isSkipping {
          drop(to: bytes.count)
        } else if bytes.count - start > limit {
          drop(to: bytes.count)
          isSkipping = true
          return .tooLong
        }
        return nil
      }
      let frame = bytes[start..<end]
      defer {
        drop(to: end + 1)
        // A connection that is idle after a long frame doesn't keep the room for it.
        if start == bytes.count, bytes.capacity > 2 * Self.kept {
          self = FrameBuffer(delimiter: delimiter, limit: limit)
        }
      }
      if isSkipping {
        isSkipping = false
        continue
      }
      return frame.count > limit ? .tooLong : .frame(Array(frame))
    }
  }

  private mutating func drop(to index: Int) {
    start = index
    searched = index
  }
}
