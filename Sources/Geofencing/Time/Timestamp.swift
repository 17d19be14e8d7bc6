/// An instant on the clock of the fixes (UTC), to the nanosecond.
///
/// The rules never ask what time it is: instants come with the fixes. A fix's clock may be wrong by years, so only
/// differences mean anything until it is compared with the system's.
package struct Timestamp: BitwiseCopyable, Sendable, Hashable, Comparable {
  /// Nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
  package let nanoseconds: Int64

  /// The instant so many nanoseconds after 1970.
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The instant so many seconds, and nanoseconds, after 1970; nil if that is out of range.
  package init?(seconds: Int64, nanoseconds: Int64 = 0) {
    let sum = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
    guard let nanoseconds = Int64(exactly: sum) else { return nil }
    self.nanoseconds = nanoseconds
  }

  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The beginning of 1970, a value to be replaced by a real time.
  package static var never: Timestamp { Timestamp(nanoseconds: 0) }

  /// The time from one instant to a later one.
  package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
    .nanoseconds(later.nanoseconds(since: earlier))
  }

  /// The time since another instant, in nanoseconds.
  @inline(__always)
  func nanoseconds(since earlier: Timestamp) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    // Of two instants 300 years apart any answer that large will do, but it must not trap.
    return overflow ? (self < earlier ? .min : .max) : difference
  }

  /// The instant some time earlier; stops at the ends of the range.
  package static func - (instant: Timestamp, duration: Duration) -> Timestamp {
    instant + (.zero - duration)
  }

  /// The instant some time later; stops at the ends of the range.
  package static func + (instant: Timestamp, duration: Duration) -> Timestamp {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return Timestamp(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }
}
