import Glibc

/// Judges the speeds of a receiver: whether it stands still or moves, and whether they can be believed.
struct Speedometer: Sendable {
  private var time: Timestamp?
  /// The time of the last fix whose own speed ``velocity`` is.
  private var speedTime: Timestamp?
  /// The seconds between that fix and the one before it.
  private var interval = 0.0
  private var velocity = Vector()
  /// The time of the last fix without a direction of travel.
  private var courseMissed: Timestamp?
  /// The mean velocity and the mean speed of the last seconds.
  ///
  /// In the velocity a speed without a direction counts as zero: many receivers tell none when slow, and noise with a
  /// made-up direction wouldn't cancel out.
  private var mean = Vector()
  private var meanSpeed = 0.0
  private var creep = Creep()
  /// The variance along one axis of single velocities at rest.
  private var noise = 0.01
  /// The last direction in which the positions led, in degrees from north, if the receiver tells none.
  var bearing: Double?
  /// A fix some seconds ago, and the vector and the length of the way since then by the speeds.
  var anchor: (fix: Sighting, way: Vector, length: Double)?

  /// The fix from which the direction is being found, and the length of the way since then by the speeds.
  var origin: (fix: Sighting, length: Double)?

  /// How many times the positions went elsewhere than the speeds, less how many times they didn't.
  var doubts = 0
  static let (enoughDoubts, mostDoubts) = (4, 8)
  var isDoubted = false
  var lastError = Vector()
  private(set) var isStill = false
  private var stillSince: Timestamp?
  /// When it began to move; nil while it stands still.
  private var movingSince: Timestamp?
  /// Whether it stood still before fixes began to contradict the speeds.
  private var stoodStill = false
  private var lastContradiction: Timestamp?

  /// How long speeds may be missing before what was learned is forgotten.
  private static let missingTime = Duration.seconds(10)

  /// For how many seconds a velocity holds if the next one comes later.
  private static let holdTime = 2.0

  /// Over how many seconds velocities are averaged, and over how many their noise.
  private static let meanTime = 8.0
  private static let noiseTime = 60.0

  /// For how long after fixes that contradicted the speeds, the speeds may be those of a reflection.
  private static let disturbedTime = Duration.seconds(10)

  /// Whether no speed was taken yet, or none since speeds were missing.
  @inline(__always)
  var isNew: Bool { time == nil && !isDoubted }

  /// Whether the numbers make sense, as those of an archive may not.
  var isSound: Bool { noise >= 0 && meanSpeed >= 0 }

  /// Writes to the archive what was learned, or reads it from there.
  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&time)
    archive.exchange(&speedTime)
    archive.exchange(&interval)
    archive.exchange(&velocity)
    archive.exchange(&courseMissed)
    archive.exchange(&mean)
    archive.exchange(&meanSpeed)
    creep.exchange(with: &archive)
    archive.exchange(&noise)
    archive.exchange(&bearing)
    archive.exchange(&origin, into: (Sighting.none, 0)) { origin, archive in
      origin.fix.exchange(with: &archive)
      archive.exchange(&origin.length)
    }
    archive.exchange(&anchor, into: (Sighting.none, Vector(), 0)) { anchor, archive in
      anchor.fix.exchange(with: &archive)
      archive.exchange(&anchor.way)
      archive.exchange(&anchor.length)
    }
    archive.exchange(&doubts, upTo: Self.mostDoubts)
    archive.exchange(&isDoubted)
    archive.exchange(&lastError)
    archive.exchange(&isStill)
    archive.exchange(&stillSince)
    archive.exchange(&movingSince)
    archive.exchange(&stoodStill)
    archive.exchange(&lastContradiction)
  }

  /// Takes a fix; nil if it has no speed that can be believed.
  ///
  /// - Parameters:
  ///   - isContradicted: whether the fixes before contradict the speeds.
  ///   - isReturning: whether the fix leads back to the place before an unproven trip.
  mutating func take(
    _ fix: Location, sigma: Double, isContradicted: Bool, isReturning: Bool = false,
    with parameters: DecisionParameters
  ) -> Reading? {
    guard let speed = speed(of: fix, with: parameters) else {
      // What was learned is kept if speeds come back soon.
      let isMissed = time.map { $0 <= fix.timestamp && fix.timestamp - $0 <= Self.missingTime }
      if isMissed == false || time == nil && isDoubted { self = Speedometer() }
      return nil
    }
    let seconds = time.map { (fix.timestamp - $0).inSeconds } ?? 0
    guard seconds >= 0, seconds <= parameters.unknownAfter.inSeconds else {
      self = Speedometer()
      return take(
        fix, sigma: sigma, isContradicted: isContradicted, isReturning: isReturning,
        with: parameters)
    }
    if speed.isOwn { speedTime = fix.timestamp }
    let hasCourse = fix.course != nil && speed.isOwn
    // The direction of the fix before is used once: a receiver that tells none any more may have turned round.
    let holds = courseMissed != time && velocity.length > 0 && seconds <= Self.holdTime
    let last = holds ? velocity.bearing : bearing
    let direction = hasCourse ? fix.course : last
    let current = Vector(length: speed.value, bearing: direction ?? 0)
    if isContradicted { lastContradiction = fix.timestamp }
    let isDisturbed = lastContradiction.map { fix.timestamp - $0 < Self.disturbedTime } ?? false
    learn(
      current, hasCourse: hasCourse, after: seconds, isFirst: time == nil,
      isDisturbed: isDisturbed, with: parameters)
    if !hasCourse { courseMissed = fix.timestamp }
    // Until the mean consists of velocities with a direction, it says too little.
    let isDirected =
      courseMissed.map { (fix.timestamp - $0).inSeconds >= Self.meanTime } ?? true
    if !isDisturbed { stoodStill = isStill }
    isStill = isStill(
      hasCourse: hasCourse, isDirected: isDirected, after: seconds,
      least: stoodStill && isDisturbed ? MotionModel.disturbedSpeed : 0, with: parameters)
    let isSettled = noteStillness(at: fix.timestamp)
    // After standing for long it may set off in any direction.
    if isSettled { bearing = nil }
    let reading = Reading(
      velocity: isStill || direction == nil ? Vector() : current,
      speed: isStill ? 0 : current.length,
      deviation: deviation(
        atSpeed: speed.value, after: seconds,
        guessed: hasCourse ? 0 : direction == nil ? 1 : Self.guessedShare,
        least: hasCourse
          ? MotionModel.stillDeviation : MotionModel.deviationWithoutCourse(parameters)),
      isStill: isStill, isSettled: isSettled, meanSpeed: isDirected ? mean.length : meanSpeed,
      usualSpeed: min(seconds, interval) > MotionModel.seldom ? meanSpeed : 0,
      spacing: min(seconds, interval))
    if isDirected {
      origin = (Sighting(fix), 0)
    } else {
      findBearing(at: fix, speed: speed.value, after: seconds, sigma: sigma, with: parameters)
    }
    check(
      fix, reading, speed: speed.value, isDirected: isDirected, isReturning: isReturning,
      after: seconds, sigma: sigma, with: parameters)
    interval = seconds
    time = fix.timestamp
    velocity = current
    return isDoubted ? nil : reading
  }

  /// Notes whether it stands still; returns whether it has for long.
  private mutating func noteStillness(at time: Timestamp) -> Bool {
    if isStill {
      movingSince = nil
      stillSince = stillSince ?? time
    } else {
      let since = movingSince ?? time
      movingSince = since
      if time - since >= MotionModel.settingOffTime { stillSince = nil }
    }
    return stillSince.map { time - $0 >= MotionModel.settlingTime } ?? false
  }

  /// The standard deviation of the velocity at a fix.
  ///
  /// - Parameters:
  ///   - guessed: by how much the direction may be wrong, as a share of the speed.
  ///   - least: the least standard deviation while standing still.
  private func deviation(
    atSpeed speed: Double, after seconds: Double, guessed: Double, least: Double
  ) -> Double {
    guard isStill else {
      return max(noise.squareRoot(), MotionModel.speedDeviation) + guessed * speed
    }
    // Between velocities that come seldom something may creep along that they call still.
    return max(least, seconds > MotionModel.seldom ? 0.7 * noise.squareRoot() : 0)
  }

  /// By how much a direction that is taken from the positions may be wrong, as a share of the speed.
  private static let guessedShare = 0.35

  /// The speed at a fix, and whether the fix itself tells it; nil if it isn't known.
  ///
  /// The last speed is used if one is missing among others, or if nothing can have become so fast, or so slow, since
  /// then. If a receiver tells no speed, gpsd makes one up from the last two positions, and every jump would confirm
  /// itself.
  private func speed(
    of fix: Location, with parameters: DecisionParameters
  ) -> (value: Double, isOwn: Bool)? {
    let told = fix.speed.flatMap { $0 <= MotionModel.largestSpeed ? $0 : nil }
    guard let speedTime else { return told.map { ($0, true) } }
    let seconds = (fix.timestamp - speedTime).inSeconds
    guard let told else { return seconds <= Self.holdTime ? (velocity.length, false) : nil }
    // Speeds are rounded, and late.
    let isSudden = abs(told - velocity.length) > parameters.maximumAcceleration * seconds + 1
    return isSudden ? (velocity.length, false) : (told, true)
  }

  /// Takes note that fixes that contradicted the speeds are believed: it was no reflection that makes speeds worse.
  mutating func believeContradiction() { lastContradiction = nil }

  /// Takes note that the positions went elsewhere than the speeds for long.
  mutating func doubt() {
    doubts = Self.mostDoubts
    isDoubted = true
  }

  private mutating func learn(
    _ current: Vector, hasCourse: Bool, after seconds: Double, isFirst: Bool,
    isDisturbed: Bool, with parameters: DecisionParameters
  ) {
    let directed = hasCourse ? current : Vector()
    if isFirst {
      mean = directed
      meanSpeed = current.length
      return
    }
    // After a gap, too, a single velocity is noise.
    let share = Self.shareOfMean(after: seconds)
    mean = mean + (directed - mean) * share
    meanSpeed += (current.length - meanSpeed) * share
    if !hasCourse || mean.length > 2 * slowSpeed(after: seconds) {
      creep = Creep()
    } else if !isDisturbed {
      creep.take(
        directed, after: min(seconds, Self.holdTime), whereNoiseIs: noise.squareRoot(),
        slowest: parameters.creepingSpeed / 2)
    }
    // At rest the difference of two velocities is the noise of both, along both axes.
    if current.length < 1.5, velocity.length < 1.5 {
      let lengths = current.length - velocity.length
      // Reflections make it look as if it moved. And an archive may say that there is no noise.
      let multiple = isDisturbed ? 0 : meanSpeed / max(noise, 1e-6).squareRoot()
      var variance = lengths * lengths / (2 * SpeedNoise.variance(whereMeanIs: multiple))
      if hasCourse, courseMissed != time {
        let difference = (current - velocity).length
        let isWalk = min(current.length, velocity.length) > MotionModel.walkingSpeed
        // Somebody who walks may have turned round between two fixes that are far apart.
        let mayHaveTurned = isWalk && min(seconds, interval) >= 3
        variance = min(difference * difference / 4, mayHaveTurned ? variance : .infinity)
      }
      // A greater difference than noise makes is a step or a stop.
      let most = 9 * max(noise, MotionModel.speedDeviation * MotionModel.speedDeviation)
      noise +=
        (min(variance, most) - noise) * (1 - exp(-min(seconds, Self.holdTime) / Self.noiseTime))
    }
  }

  /// The weight of a velocity in the mean, so many seconds after the one before it.
  private static func shareOfMean(after seconds: Double) -> Double {
    1 - exp(-min(seconds, holdTime) / meanTime)
  }

  /// How large the mean may be at rest, in standard deviations of single velocities.
  ///
  /// The rarer velocities are, the fewer make up the mean. Those that come more often than once a second share their
  /// noise.
  private static func spreadOfMean(after seconds: Double) -> Double {
    let share = shareOfMean(after: max(seconds, 1))
    return MotionModel.stillDeviations * (share / (2 - share)).squareRoot()
  }

  /// The mean velocity in metres per second below which something may stand still.
  private func slowSpeed(after seconds: Double) -> Double {
    max(MotionModel.stillSpeed, Self.spreadOfMean(after: seconds) * noise.squareRoot())
  }

  private func isStill(
    hasCourse: Bool, isDirected: Bool, after seconds: Double, least: Double,
    with parameters: DecisionParameters
  ) -> Bool {
    let (spread, deviation) = (Self.spreadOfMean(after: seconds), noise.squareRoot())
    // Noise alone has a mean speed.
    let multiple = SpeedNoise.mean + spread * SpeedNoise.variance.squareRoot()
    if hasCourse {
      let isSlow = mean.length < max(least, slowSpeed(after: seconds))
      // Somebody who turns round has a small mean velocity, but a large mean speed; in a reflection that says nothing.
      let isTurning =
        least == 0 && meanSpeed > max(MotionModel.turningSpeed, 2 * multiple * deviation)
      if isDirected || !isSlow { return isSlow && !isTurning && !(least == 0 && creep.isMotion) }
    }
    return meanSpeed < max(least, parameters.creepingSpeed, multiple * deviation)
  }
}
