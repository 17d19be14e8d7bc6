/// An instant on the clock of the fixes (UTC), to the nanosecond.
///
/// The rules never ask what time it is: instants come in with the fixes. A fix's clock may be years
/// off, so only differences mean anything until someone compares it with the system's.
package struct Timestamp: BitwiseCopyable, Sendable, Hashable, Comparable {
  /// Nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
  package let nanoseconds: Int64

  /// The instant that many nanoseconds after 1970.
  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The instant that many whole seconds, and nanoseconds, after 1970; nil when out of range.
  package init?(seconds: Int64, nanoseconds: Int64 = 0) {
    let sum = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
    guard let nanoseconds = Int64(exactly: sum) else { return nil }
    self.nanoseconds = nanoseconds
  }

  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }

  /// The time from one instant to a later one.
  package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
    .nanoseconds(later.nanoseconds(since: earlier))
  }

  /// The time since another instant, in nanoseconds.
  @inline(__always)
  func nanoseconds(since earlier: Timestamp) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    // Two instants 300 years apart: any answer beyond the range will do, but it must not trap.
    return overflow ? (self < earlier ? .min : .max) : difference
  }

  /// The instant some time later; stops at the ends of the range.
  package static func + (instant: Timestamp, duration: Duration) -> Timestamp {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return Timestamp(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }
}

extension Duration {
  /// That many seconds, to the nanosecond, so that a duration which was written in seconds comes back
  /// as it was; nil when out of range.
  package init?(inSeconds seconds: Double) {
    guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
    self = .nanoseconds(nanoseconds)
  }

  /// How far apart the fixes of a receiver may be that is to give one in this time: round times are what
  /// intervals are set to, and fixes come some milliseconds later.
  var asInterval: Duration { self + self / 50 }

  /// Whether it is longer than another one, without the call that `>` is.
  @inline(__always)
  func isLonger(than other: Duration) -> Bool { attoseconds > other.attoseconds }

  /// This duration in nanoseconds, clamped to what 64 bits hold (292 years).
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow2) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || overflow2 ? (seconds < 0 ? .min : .max) : sum
  }

  /// This duration as a number of seconds, for formulas and for people.
  package var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }

  /// This duration in the two largest units that it fills, for a person: `42 s`, `3 min 5 s`, `2 d 7 h`.
  package var readable: String {
    let seconds = Int(inSeconds.rounded())
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
    case ..<86_400: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    default: "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h"
    }
  }
}
