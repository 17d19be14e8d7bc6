package import FoundationEssentials
package import Geofencing

extension Timestamp {
  /// A date as the rules have it, to the microsecond that a date of our time carries; nil when out of
  /// range.
  package init?(_ date: Date) {
    guard let microseconds = Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded()) else {
      return nil
    }
    self.init(
      seconds: microseconds / 1_000_000, nanoseconds: microseconds % 1_000_000 * 1_000)
  }

  /// The instant as programs have it.
  var date: Date {
    // In one number the nanoseconds would be rounded before they are seconds.
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Date(timeIntervalSince1970: Double(seconds) + Double(rest) / 1e9)
  }
}
