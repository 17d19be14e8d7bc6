package import Geofencing
import Glibc

/// A satellite receiver with the faults of real ones, the same for the same seed.
///
/// Its error wanders slowly (a Gauss–Markov process of the first order), has noise on top, jumps
/// aside for seconds where walls reflect the signal, and now and then there is no fix, or not even a
/// sentence. The uncertainty it claims follows the one it has.
package struct Receiver: Sendable {
  /// What a receiver says once an epoch.
  package struct Fix: Sendable, Hashable {
    package var timestamp: Timestamp

    /// 1 is no fix, 2 is a position, 3 an altitude too.
    package var mode: Int

    /// The reported position; without a fix, the last one.
    package var coordinate: Coordinate

    /// Metres above mean sea level.
    package var altitude: Double

    /// Metres per second over ground.
    package var speed: Double

    /// Degrees clockwise from north, or nil when standing.
    package var course: Double?

    /// The horizontal dilution of precision.
    package var dilution: Double

    /// The standard deviation that the receiver claims, per axis, in metres.
    package var deviation: Double

    /// How many satellites of GPS are used.
    package var gpsSatellites: Int

    /// How many satellites of GLONASS are used.
    package var glonassSatellites: Int

    /// Whether the same epoch is sent twice.
    package var isRepeated: Bool
  }

  /// How often things go wrong, and how badly.
  package struct Faults: Sendable {
    /// The deviation of the wandering error, per axis, in metres.
    package var drift = 2.0

    /// How long the wandering error remembers.
    package var driftTime = Duration.seconds(60)

    /// The deviation of the noise, per axis, in metres.
    package var noise = 0.4

    /// The mean time between reflections; nil for none.
    package var reflectionInterval: Duration? = .seconds(150)

    /// How far aside a reflection takes the position, in metres.
    package var reflectionSize = 10.0...30.0

    /// How many seconds a reflection lasts.
    package var reflectionLength = 5.0...20.0

    /// The deviation of the Doppler velocity, per axis, in metres per second; at nil the speed is
    /// nearly right and the course always.
    package var dopplerNoise: Double?

    /// The mean time between gaps without any sentence; nil for none.
    package var gapInterval: Duration? = .seconds(400)

    /// The mean time between losses of the fix; nil for none.
    package var lossInterval: Duration? = .seconds(500)

    /// How many epochs in a thousand are sent twice.
    package var repeatsPerThousand = 5.0

    /// How long the receiver searches before its first fix.
    package var coldStart = Duration.seconds(5)

    package init() {}

    /// A receiver that is right and never silent.
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

  /// A trouble that lasts some epochs.
  private struct Trouble {
    var interval: Duration?
    var length: ClosedRange<Double>
    var until = Duration.zero

    /// Whether the trouble is on, rolling the dice for its beginning.
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

  /// What the receiver says of a journey, so many times a second; epochs it skips are missing.
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
  /// The fix as the rules see it; nil without a position.
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
