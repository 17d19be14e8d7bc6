import Glibc

/// The clocks of who runs the program: those of `TZ`, or of the machine (tzset(3)).
package enum LocalTime {
  /// How many seconds they are ahead of UTC at an instant, in seconds since 1970; nil where they show UTC.
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
