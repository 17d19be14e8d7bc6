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

  /// Whether what was read last is later than that.
  private let isBeyondEnd = Mutex(false)

  /// Where the latest playing left out what followed; nil where it went to where the recording ends.
  package var cut: Timestamp? { isBeyondEnd.withLock { $0 } ? end : nil }

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
    Iterator(recording: self, reader: makeReader())
  }

  /// Reads on as events are asked for, in the task that asks.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let recording: Recording
    fileprivate let reader: RecordingReader?

    package mutating func next(isolation actor: isolated (any Actor)?) async -> SourceEvent? {
      guard let reader, !Task.isCancelled else { return nil }
      let event = recording.next(of: reader)
      recording.result.withLock { $0 = reader.summary }
      return event
    }
  }

  /// What a reader says next that isn't later than what is asked for.
  private func next(of reader: RecordingReader) -> SourceEvent? {
    while let event = reader.next() {
      guard let end, case .tpv(let report) = event, let time = report.time else { return event }
      isBeyondEnd.withLock { $0 = time > end }
      if time <= end { return event }
      // A file may go on with earlier ones, as behind a wrong date; of a pipe nobody knows when it ends.
      if !isRegularFile, report.mode >= 2 { return nil }
    }
    return nil
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
