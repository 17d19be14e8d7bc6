package import Geofencing
import LinuxSystem
import Synchronization

/// A recorded receiver: gpsd's JSON as `gpspipe -w` writes it, NMEA 0183, or a GPX track.
///
/// Which of these it is, the contents tell. What else is among lines passes: comments, binary data,
/// a first line that is cut off. It is played as fast as it is asked for, with the times that were
/// recorded. A file can be played again and again; standard input or a pipe only once.
package final class Recording: LocationSource {
  /// What a recording's contents are.
  package enum Format: Sendable, Hashable {
    /// gpsd's messages, one a line.
    case gpsd

    /// Sentences of NMEA 0183.
    case nmea

    /// Tracks of GPX 1.0 or 1.1.
    case gpx
  }

  /// What the contents are.
  package let format: Format

  /// Whether it is a file, which is all there; standard input or a pipe may go on as it is played.
  package let isRegularFile: Bool

  /// Until when it is played; nil is to where it ends.
  private let end: Timestamp?

  private let path: String
  /// The file as it was left when its format was found, until the first playing takes it.
  private let opened: Mutex<RecordingFile?>
  private let result = Mutex(RecordingSummary())

  /// Opens a recording, or standard input for `-`, and finds out its format.
  ///
  /// Reads as far as the first line that is valid in one of them, at most 1 MiB. That blocks where the
  /// recording is a pipe to which nothing is written.
  ///
  /// - Parameter end: what is later is left out; a pipe isn't read beyond the first fix that is.
  package init(path: String, until end: Timestamp? = nil) throws(RecordingError) {
    let file = try RecordingFile.open(path)
    self.path = path
    self.end = end
    format = file.format
    isRegularFile = file.isRegular
    opened = Mutex(file)
  }

  /// What the latest playing has met so far.
  package var summary: RecordingSummary { result.withLock { $0 } }

  /// Plays the recording from its beginning; what goes wrong on the way is in ``summary``.
  package func makeAsyncIterator() -> Iterator {
    Iterator(recording: self, reader: makeReader(), end: end.map { RecordingEnd(time: $0) })
  }

  /// Reads on as events are asked for, in the task that asks.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let recording: Recording
    fileprivate let reader: RecordingReader?
    fileprivate var end: RecordingEnd?

    package mutating func next(isolation actor: isolated (any Actor)?) async -> SourceEvent? {
      guard let reader, !Task.isCancelled else { return nil }
      let event = next(of: reader)
      let cut = end.flatMap { $0.isReached ? $0.time : nil }
      recording.result.withLock {
        $0 = reader.summary
        $0.cut = cut
      }
      return event
    }

    private mutating func next(of reader: RecordingReader) -> SourceEvent? {
      while let event = reader.next() {
        switch end?.judge(event) ?? .played {
        case .played: return event
        // A file may go on with earlier ones; of a pipe nobody knows when it ends.
        case .leftOut where recording.isRegularFile || end?.isReached == false: continue
        case .leftOut, .last: return nil
        }
      }
      return nil
    }
  }

  private func makeReader() -> RecordingReader? {
    if let file = opened.withLock({ $0.take() }) { return RecordingReader(file, name: path) }
    guard isRegularFile else { return nil }
    do {
      return RecordingReader(try RecordingFile.open(path), name: path)
    } catch {
      result.withLock { $0.failure = .system(error.errno) }
      return nil
    }
  }
}

extension RecordingError {
  /// The system's reason, or that the file is no longer what it was.
  fileprivate var errno: Errno {
    if case .unreadable(_, let errno) = self { errno } else { .noSuchFile }
  }
}
