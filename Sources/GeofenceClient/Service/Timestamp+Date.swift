package import FoundationEssentials
package import Geofencing

extension Timestamp {
  /// A date as a type of the engine, rounded to microseconds, the precision of a `Date` of our time; nil if it is out
  /// of range.
  package init?(_ date: Date) {
    guard let microseconds = Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded()) else {
      return nil
    }
    self.init(
      seconds: microseconds / 1_000_000, nanoseconds: microseconds % 1_000_000 * 1_000)
  }

  /// The instant as a `Date`.
  var date: Date {
    // Apart, because so many nanoseconds in one floating-point number would be rounded.
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Date(timeIntervalSince1970: Double(seconds) + Double(rest) / 1e9)
  }
}
