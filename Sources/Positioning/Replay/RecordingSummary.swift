package import Geofencing
package import LinuxSystem

/// What came out of playing a recording, for the person who asked for it.
package struct RecordingSummary: Sendable, Hashable {
  /// The lines that were read.
  package var lines = 0

  /// The lines that were no valid message or sentence: cut off, garbled, a wrong checksum.
  package var malformedLines = 0

  /// The lines that were skipped because they are longer than any message.
  package var overlongLines = 0

  /// The points of a GPX track that were read, which has no lines to speak of; else nil.
  package var points: Int?

  /// The time from which on it was left out, as was asked for; nil where it was played to where it ends.
  package var cut: Timestamp?

  /// Why reading ended before the recording did, if it did.
  package var failure: Failure?

  /// Why a recording isn't read to its end.
  package enum Failure: Error, Hashable, CustomStringConvertible {
    case system(Errno)
    /// What is wrong with a GPX file, and on which line.
    case malformed(line: Int, String)

    package var description: String {
      switch self {
      case .system(let error): error.description
      case .malformed(let line, let problem): "line \(line): \(problem)"
      }
    }
  }
}
