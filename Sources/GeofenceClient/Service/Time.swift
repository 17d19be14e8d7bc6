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
  var date: Date { Date(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
}
