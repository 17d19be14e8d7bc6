import Glibc

/// The system's clock: the date, which somebody may set at any time.
package enum SystemClock {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  package static var nanoseconds: Int64 {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}
