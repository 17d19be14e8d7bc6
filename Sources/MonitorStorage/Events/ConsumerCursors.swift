package import Geofencing

/// How far named consumers have got: from the one that is furthest behind to the one that has read most.
package struct ConsumerCursors: Sendable, Hashable {
  /// Of the consumers that read one monitor.
  var ofMonitors: [MonitorKey: ClosedRange<Int64>] = [:]

  /// Of the consumers that read all monitors of a user.
  var ofAll: [UInt32: ClosedRange<Int64>] = [:]

  /// The last events that every consumer of a monitor, and that any of them, has acknowledged; nil when it
  /// has none.
  ///
  /// Those that read all monitors count where nobody reads this one alone: they may be for something
  /// else altogether.
  package subscript(monitor: MonitorKey) -> ClosedRange<Int64>? {
    ofMonitors[monitor] ?? ofAll[monitor.user]
  }

  /// Whether a monitor has consumers that read it alone.
  package func hasOwn(_ monitor: MonitorKey) -> Bool { ofMonitors[monitor] != nil }
}
