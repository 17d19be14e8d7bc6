import Glibc

/// The time zone in which the program runs: that of `TZ`, or else the machine's (tzset(3)).
package enum LocalTime {
  /// How many seconds its clocks are ahead of UTC at an instant; nil where they show UTC.
  ///
  /// - Parameter seconds: The instant, in seconds since 1970.
  package static func offset(at seconds: Int64) -> Int? {
    var time = time_t(seconds)
    var clocks = unsafe tm()
    guard unsafe localtime_r(&time, &clocks) != nil else { return nil }
    // Winter in Greenwich isn't UTC: these clocks show something else in summer.
    let isUTC = unsafe clocks.tm_zone.map { unsafe String(cString: $0) == "UTC" } ?? true
    let offset = unsafe clocks.tm_gmtoff
    return isUTC && offset == 0 ? nil : Int(offset)
  }
}
