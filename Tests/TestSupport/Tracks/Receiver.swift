package import Geofencing
import Glibc

/// A satellite receiver with the faults of real ones, the same for the same seed.
///
/// Its error wanders slowly (a first-order Gauss–Markov process) with noise on top, and it jumps aside for seconds
/// where walls reflect the signal. Now and then there is no fix, or not even a sentence. The accuracy it claims follows
/// its true error.
package struct Receiver: Sendable {
  /// What a receiver reports in an epoch.
  package struct Fix: Sendable, Hashable {
    package var timestamp: Timestamp

    /// 1 is no fix, 2 is a position, 3 is a position with an altitude.
    package var mode: Int

    /// The reported position; without a fix, the last reported one.
    package var coordinate: Coordinate

    /// Metres above mean sea level.
    package var altitude: Double

    /// Metres per second over ground.
    package var speed: Double

    /// Degrees clockwise from north; nil while standing.
    package var course: Double?

    /// The horizontal dilution of precision.
    package var dilution: Double

    /// The standard deviation that the receiver claims for each axis, in metres.
    package var deviation: Double

    /// The number of GPS satellites in use.
    package var gpsSatellites: Int

    /// The number of GLONASS satellites in use.
    package var glonassSatellites: Int

    /// Whether the epoch is sent twice.
    package var isRepeated: Bool
  }

  /// How often faults happen, and how bad they are.
  package struct Faults: Sendable {
    /// The standard deviation of the wandering error along each axis, in metres.
    package var drift = 2.0

    /// The correlation time of the wandering error.
    package var driftTime = Duration.seconds(60)

    /// The standard deviation of the noise along each axis, in metres.
    package var noise = 0.4

    /// The mean time between reflections; nil is never.
    package var reflectionInterval: Duration? = .seconds(150)

    /// How far aside a reflection takes the position, in metres.
    package var reflectionSize = 10.0...30.0

    /// How many seconds a reflection lasts.
    package var reflectionLength = 5.0...20.0

    /// The standard deviation of the Doppler velocity along each axis, in metres per second.
    ///
    /// If nil, the speed is nearly right, and the course always right.
    package var dopplerNoise: Double?

    /// The mean time between gaps without any sentence; nil is never.
    package var gapInterval: Duration? = .seconds(400)

    /// The mean time between losses of the fix; nil is never.
    package var lossInterval: Duration? = .seconds(500)

    /// How many epochs of a thousand are sent twice.
    package var repeatsPerThousand = 5.0

    /// The time before the first fix.
    package var coldStart = Duration.seconds(5)

    package init() {}

    /// A receiver that is always right and never silent.
    package static var none: Faults {
      var faults = Faults()
      faults.drift = 0
      faults.noise = 0
      faults.reflectionInterval = nil
      faults.gapInterval = nil
      faults.lossInterval = nil
      faults.repeatsPerThousand = 0
      faults.coldStart = .zero
      return faults
    }
  }

  /// A kind of fault that lasts for some epochs.
  private struct Trouble {
    var interval: Duration?
    var length: ClosedRange<Double>
    var until = Duration.zero

    /// Whether the fault lasts at a time, and whether it has just begun, which is random.
    mutating func isOn(
      at time: Duration, period: Duration, random: inout SplitMix64
    ) -> (now: Bool, began: Bool) {
      if time < until { return (true, false) }
      guard let interval, random.chance(period / interval) else { return (false, false) }
      until = time + .milliseconds(Int(random.uniform(length) * 1000))
      return (true, true)
    }
  }

  private let faults: Faults
  private let seed: UInt64

  package init(seed: UInt64, faults: Faults = Faults()) {
    self.seed = seed
    self.faults = faults
  }

  /// What the receiver reports of a journey, `rate` times a second; epochs without a sentence are missing.
  package func observe(_ track: Track, startingAt start: Timestamp, rate: Double = 1) -> [Fix] {
    var random = SplitMix64(seed: seed ^ 0x5eed)
    let period = Duration.milliseconds(Int((1000 / rate).rounded()))
    let kept = exp(-period.inSeconds / faults.driftTime.inSeconds)
    let kick = faults.drift * (1 - kept * kept).squareRoot()
    var east = faults.drift * random.normal()
    var north = faults.drift * random.normal()
    var aside = (east: 0.0, north: 0.0)
    var reflection = Trouble(interval: faults.reflectionInterval, length: faults.reflectionLength)
    var gap = Trouble(interval: faults.gapInterval, length: 3...9)
    var loss = Trouble(interval: faults.lossInterval, length: 4...12)
    var openness = 1.0
    var fixes: [Fix] = []
    var lastReported = track.point(at: .zero).coordinate
    for epoch in 0...Int(track.duration / period) {
      let time = period * epoch
      let truth = track.point(at: time)
      east = kept * east + kick * random.normal()
      north = kept * north + kick * random.normal()
      let reflected = reflection.isOn(at: time, period: period, random: &random)
      if reflected.began {
        let size = random.uniform(faults.reflectionSize)
        let angle = random.uniform(0...(2 * Double.pi))
        aside = (size * sin(angle), size * cos(angle))
      }
      let isSilent = gap.isOn(at: time, period: period, random: &random).now
      let isLost = loss.isOn(at: time, period: period, random: &random).now
      openness = min(max(openness + 0.03 * random.normal(), 0.8), 1.6)
      let noise = (east: faults.noise * random.normal(), north: faults.noise * random.normal())
      let speedNoise = faults.noise * 0.15 * abs(random.normal())
      let isRepeated = random.chance(faults.repeatsPerThousand / 1000)
      if isSilent { continue }

      let offset = (
        east: east + noise.east + (reflected.now ? aside.east : 0),
        north: north + noise.north + (reflected.now ? aside.north : 0)
      )
      let hasFix = !isLost && time >= faults.coldStart
      if hasFix {
        let distance = (offset.east * offset.east + offset.north * offset.north).squareRoot()
        lastReported =
          distance > 0
          ? truth.coordinate.moved(
            by: distance, bearing: atan2(offset.east, offset.north) * 180 / .pi)
          : truth.coordinate
      }
      let dilution = openness * (reflected.now ? 2.6 : 1)
      var speed = truth.speed + speedNoise
      var course: Double? = speed > 0.5 ? truth.course : nil
      if let deviation = faults.dopplerNoise {
        let angle = truth.course * .pi / 180
        let velocity = (
          east: truth.speed * sin(angle) + deviation * random.normal(),
          north: truth.speed * cos(angle) + deviation * random.normal()
        )
        speed = hypot(velocity.east, velocity.north)
        course = (atan2(velocity.east, velocity.north) * 180 / .pi + 360)
          .truncatingRemainder(dividingBy: 360)
      }
      fixes.append(
        Fix(
          timestamp: start + time, mode: hasFix ? 3 : 1, coordinate: lastReported,
          altitude: 38 + north, speed: speed, course: course,
          dilution: dilution, deviation: max(faults.drift, 0.5) * dilution,
          gpsSatellites: reflected.now ? 4 : 8, glonassSatellites: reflected.now ? 2 : 5,
          isRepeated: isRepeated))
    }
    return fixes
  }
}

extension Receiver.Fix {
  /// The fix in the form that the rules get; nil without a position.
  package var location: Location? {
    guard mode >= 2 else { return nil }
    var location = Location(
      timestamp: timestamp, coordinate: coordinate,
      horizontalAccuracy: deviation * Location.sigmasIn68Percent, speed: speed, mode: mode)
    location.altitude = altitude
    location.course = course
    location.satellitesUsed = gpsSatellites + glonassSatellites
    return location
  }
}
