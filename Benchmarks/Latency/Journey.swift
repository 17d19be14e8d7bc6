import Geofencing

/// A way to the north through the places of `importPlaces`, with one fix per second.
struct Journey {
  /// A fix as gpsd reports it.
  struct Fix {
    let time: Timestamp
    let report: [UInt8]
  }

  /// The longest journey: it begins this long before the present, so that no fix is ahead of the clock.
  private static let longest = Duration.seconds(3600)

  private var time = Timestamp.thisSecond + (.zero - longest)
  private var metres = 0.0

  /// The fixes of the next seconds, at a speed in metres per second.
  mutating func fixes(_ seconds: Int, speed: Double) -> [Fix] {
    (0..<seconds).map { _ in
      time = time + .seconds(1)
      metres += speed
      let latitude = 48.05 + metres / 111_200
      return Fix(
        time: time, report: IdleDaemon.report(time, latitude: latitude, speed: speed))
    }
  }
}
