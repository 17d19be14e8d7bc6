/// Whether the positions go where the speeds say.
extension Speedometer {
  /// Compares where the positions went with where the speeds did.
  ///
  /// - Parameter isReturning: whether the fix may be of a receiver that only finds itself, and stands still.
  mutating func check(
    _ fix: Location, _ reading: Reading, speed: Double, isDirected: Bool, isReturning: Bool,
    after seconds: Double, sigma: Double, with parameters: DecisionParameters
  ) {
    guard var anchor, seconds > 0 else {
      self.anchor = (Sighting(fix), Vector(), 0)
      return
    }
    anchor.way = anchor.way + reading.velocity * seconds
    anchor.length += speed * seconds
    self.anchor = anchor
    // Where speeds come seldom, only those of the receiver itself are compared: they go on in one direction.
    guard fix.speed != nil, (fix.timestamp - anchor.fix.timestamp).inSeconds >= 2 else { return }
    let moved = Vector(from: anchor.fix.coordinate, to: fix.coordinate)
    // A receiver that holds its position at rest says that it is at rest until it lets go.
    guard moved.length > 0 || anchor.length > 0 else {
      self.anchor = (Sighting(fix), Vector(), 0)
      return
    }
    let hasCourse = fix.course != nil
    let distance = Self.bearingDistance(sigma: sigma, parameters)
    // Who is slow needs some more fixes; who turns round may never get that far.
    if !isDirected, !reading.isStill, moved.length <= distance, anchor.length < 2 * distance {
      return
    }
    let surplus = moved.length - anchor.length
    // Without a course, what is too far went where the positions did: a reflection comes back.
    let plain = surplus > 0 ? moved * (surplus / moved.length) : Vector(east: surplus)
    let error = hasCourse ? moved - anchor.way : plain
    // Between fixes far apart errors change, and travel goes unseen: only what would be refused
    // speaks against the speeds then.
    let least =
      seconds <= MotionModel.seldom
      ? max(5, 1.5 * sigma) : max(MotionModel.largestJumpDistance, MotionModel.jumpSigmas * sigma)
    let allowance = least + 0.3 * anchor.length
    // A jump is over at once; what goes on in one direction is travel.
    let goesOn =
      (error - lastError).length < max(allowance, error.length / 2)
      && !(isReturning && reading.isStill)
    doubts = min(max(doubts + (error.length > allowance && goesOn ? 1 : -1), 0), Self.mostDoubts)
    lastError = error
    if doubts >= Self.enoughDoubts { isDoubted = true }
    if doubts == 0 { isDoubted = false }
    self.anchor = (Sighting(fix), Vector(), 0)
  }

  /// Over how many metres positions show where it goes, where the receiver doesn't say.
  private static func bearingDistance(sigma: Double, _ parameters: DecisionParameters) -> Double {
    max(MotionModel.directionDistance(parameters), sigma)
  }

  /// Finds from the positions where it goes, as the receiver doesn't say.
  ///
  /// Who walks slowly counts as still now and then, and turns round meanwhile: what began before goes on.
  mutating func findBearing(
    at fix: Location, speed: Double, after seconds: Double, sigma: Double,
    with parameters: DecisionParameters
  ) {
    guard let origin, seconds > 0 else {
      self.origin = (Sighting(fix), 0)
      return
    }
    let length = origin.length + speed * seconds
    let distance = Self.bearingDistance(sigma: sigma, parameters)
    let moved = Vector(from: origin.fix.coordinate, to: fix.coordinate)
    guard moved.length > distance || length >= 2 * distance else {
      self.origin?.length = length
      return
    }
    bearing = moved.length > max(distance, length / 2) ? moved.bearing : nil
    self.origin = (Sighting(fix), 0)
  }
}
