package import Geofencing

/// One report of time, position and velocity, as gpsd names it.
///
/// What the receiver left out is nil. Nothing here has been judged: numbers may be out of range, and a mode of 2
/// doesn't promise a position.
package struct TPV: Sendable, Hashable {
  /// The receiver it came from (`/dev/ttyACM0`), if known.
  package var device: String?

  /// The time of the fix by the receiver's clock.
  package var time: Timestamp?

  /// gpsd's mode: 0 unknown, 1 no fix, 2 position, 3 position and altitude.
  package var mode = 0

  /// gpsd's status: 0 unknown, 1 GPS, 2 DGPS, 3 RTK fixed, 4 RTK floating, 5 dead reckoning, 6 that and GNSS,
  /// 7 time only, at a surveyed place, 8 simulated, 9 the military's signal.
  package var status = 0

  /// Degrees north.
  package var latitude: Double?

  /// Degrees east.
  package var longitude: Double?

  /// Metres above mean sea level.
  package var altitudeMSL: Double?

  /// Metres above the ellipsoid.
  package var altitudeHAE: Double?

  /// Estimated horizontal position error, metres; gpsd guesses it to be 95 %.
  package var eph: Double?

  /// Estimated longitude error, metres.
  package var epx: Double?

  /// Estimated latitude error, metres.
  package var epy: Double?

  /// Estimated vertical error, metres.
  package var epv: Double?

  /// What the receiver itself says of its errors, beside gpsd's estimates.
  package var gst: GST?

  /// Speed over ground, metres per second.
  package var speed: Double?

  /// Estimated speed error, metres per second.
  package var eps: Double?

  /// Course over ground, degrees from true north.
  package var track: Double?

  /// Estimated course error, degrees.
  package var epd: Double?

  package init() {}

  /// The errors in NMEA's sentence of that name, as standard deviations in metres.
  ///
  /// gpsd tells them in a message of their own, and estimates ``eph`` from the geometry of the satellites
  /// all the same.
  package struct GST: Sendable, Hashable {
    package var north: Double?
    package var east: Double?
    package var up: Double?

    package init(north: Double?, east: Double?, up: Double?) {
      (self.north, self.east, self.up) = (north, east, up)
    }
  }

  /// Whether the report has a position to use: a mode of 2 or 3 alone doesn't promise one.
  package var hasPosition: Bool { mode >= 2 && latitude != nil && longitude != nil }

  /// What it says of the position, whatever the mode; nil where that isn't one on the Earth.
  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Whether a report says nothing but how large the errors are.
  var isGSTAlone: Bool { gst != nil && mode == 0 }
}
