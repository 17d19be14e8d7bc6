package import LinuxSystem

/// What came out of playing a recording, for the person who asked for it.
package struct RecordingSummary: Sendable, Hashable {
  /// The lines that were read.
  package var lines = 0

  /// The lines that were no valid message or sentence: cut off, garbled, a wrong checksum.
  package var malformedLines = 0

  /// The lines that were skipped because they are longer than any message.
  package var overlongLines = 0

  /// The reports of time and position.
  package var reports = 0

  /// Why reading ended before the recording did, if it did.
  package var failure: Errno?

  package init() {}
}
