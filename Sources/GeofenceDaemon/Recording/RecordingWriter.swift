import Geofencing
import Glibc
import LinuxSystem

/// One recording under way: its file, which ends with a whole line whatever happens.
final class RecordingWriter {
  let user: UInt32
  let name: String
  let maximumBytes: Int

  /// When it began, by the system's clock.
  let began: Timestamp

  /// When it has to end at the latest, as uptime.
  let deadline: Duration

  private(set) var bytes = 0
  private(set) var lines = 0
  private(set) var dropped = 0
  private let file: FileDescriptor

  /// A recording into an empty file.
  init(
    _ file: consuming FileDescriptor, user: UInt32, name: String, maximumBytes: Int,
    duration: Duration, now: Timestamp, uptime: Duration
  ) {
    self.file = file
    self.user = user
    self.name = name
    self.maximumBytes = maximumBytes
    began = now
    deadline = uptime + duration
  }

  /// Whether the file was removed, so that whatever is written is lost.
  var isRemoved: Bool { (try? FileStatus(descriptor: file.rawValue))?.links == 0 }

  /// Writes lines, as far as the limit allows.
  ///
  /// - Returns: whether there was room for all of them.
  /// - Throws: the system's reason. The file then ends with the last line that was written as a whole.
  func write(_ batch: RecordingTap.Batch) throws(Errno) -> Bool {
    dropped += batch.dropped
    let room = max(0, maximumBytes - bytes)
    guard batch.bytes.count > room else {
      try append(batch.bytes[...])
      return true
    }
    let end = batch.bytes[..<room].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    try append(batch.bytes[..<end])
    return false
  }

  /// Makes the file durable, and sets its time to now: the last line may be much older.
  func finish() throws(Errno) {
    _ = futimens(file.rawValue, nil)
    _ = try retryingOnInterrupt { fsync(file.rawValue) }
  }

  private func append(_ part: ArraySlice<UInt8>) throws(Errno) {
    var rest = part
    do throws(Errno) {
      while !rest.isEmpty { rest = try FileContents.writeSome(rest, to: file.rawValue) }
    } catch {
      let written = part[..<rest.startIndex]
      let whole = written.lastIndex(of: 0x0A).map { part[...$0] } ?? part.prefix(0)
      count(whole)
      _ = ftruncate(file.rawValue, off_t(bytes))
      throw error
    }
    count(part)
  }

  private func count(_ part: ArraySlice<UInt8>) {
    bytes += part.count
    lines += part.count { $0 == 0x0A }
  }
}
