import CLinux

/// The system's clock: the date, which somebody may set at any time.
package enum SystemClock {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  package static var nanoseconds: Int64 { linux_realtime_nanoseconds() }
}
