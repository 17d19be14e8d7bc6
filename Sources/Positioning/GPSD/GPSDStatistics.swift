/// What went wrong between gpsd and here, counted since the start.
///
/// No report is ever dropped on this side: a slow reader leaves them in the kernel's buffer, and
/// gpsd closes the connection when that is full.
package struct GPSDStatistics: Sendable, Hashable {
  /// Lines that were no message.
  package var undecodableLines = 0

  /// Lines longer than any message.
  package var tooLongLines = 0

  /// How often gpsd was reached and said who it is.
  package var connections = 0

  /// How often a connection was lost or none was to be had.
  package var failures = 0

  package init() {}
}
