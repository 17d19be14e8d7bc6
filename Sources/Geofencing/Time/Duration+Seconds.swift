extension Duration {
  /// A duration of so many seconds, rounded to nanoseconds; nil if that is out of range.
  ///
  /// So a duration that was written in seconds is read back as it was.
  package init?(inSeconds seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    // The longest duration in 64 bits is written as a number that is a little larger.
    guard let whole = Int64(exactly: nanoseconds) ?? (nanoseconds == 0x1p63 ? .max : nil) else {
      return nil
    }
    self = .nanoseconds(whole)
  }

  /// How far apart fixes may be that a receiver gives at this interval: 2 % more.
  ///
  /// Intervals are set to round times, and fixes come some milliseconds later.
  var asInterval: Duration { self + self / 50 }

  /// Whether it is longer than another duration; `>` wouldn't be inlined.
  @inline(__always)
  func isLonger(than other: Duration) -> Bool { attoseconds > other.attoseconds }

  /// This duration in nanoseconds, clamped to what 64 bits hold (292 years).
  package var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow2) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || overflow2 ? (seconds < 0 ? .min : .max) : sum
  }

  /// This duration as a number of seconds.
  package var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }

  /// This duration in the two largest units that it fills, for people: `42 s`, `3 min 5 s`, `2 d 7 h`.
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
