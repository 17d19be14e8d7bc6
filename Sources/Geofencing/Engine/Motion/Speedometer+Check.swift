/// Finds out whether the positions go where the speeds say.
extension Speedometer {
  /// Compares where the positions went with where the speeds lead.
  ///
  /// - Parameter isReturning: whether the receiver may only be finding its position, and stands still.
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
    // If speeds come seldom, only the receiver's own are compared: those go on in one direction.
    guard fix.speed != nil, (fix.timestamp - anchor.fix.timestamp).inSeconds >= 2 else { return }
    let moved = Vector(from: anchor.fix.coordinate, to: fix.coordinate)
    // A receiver that holds its position at rest tells a speed of 0 until it lets go.
    guard moved.length > 0 || anchor.length > 0 else {
      self.anchor = (Sighting(fix), Vector(), 0)
      return
    }
    let hasCourse = fix.course != nil
    let distance = Self.bearingDistance(sigma: sigma, parameters)
    // If it is slow, some more fixes are needed; if it turns round, it may never get that far.
    if !isDirected, !reading.isStill, moved.length <= distance, anchor.length < 2 * distance {
      return
    }
    let surplus = moved.length - anchor.length
    // Without a course the surplus is taken to lead where the positions did: a reflection comes back.
    let plain = surplus > 0 ? moved * (surplus / moved.length) : Vector(east: surplus)
    let error = hasCourse ? moved - anchor.way : plain
    // Between fixes far apart errors change, and trips go unseen: then only a distance that would be refused speaks
    // against the speeds.
    let least =
      seconds <= MotionModel.seldom
      ? max(5, 1.5 * sigma) : max(MotionModel.largestJumpDistance, MotionModel.jumpSigmas * sigma)
    let allowance = least + 0.3 * anchor.length
    // A jump is over at once; an error that goes on in one direction is travel.
    let goesOn =
      (error - lastError).length < max(allowance, error.length / 2)
      && !(isReturning && reading.isStill)
    doubts = min(max(doubts + (error.length > allowance && goesOn ? 1 : -1), 0), Self.mostDoubts)
    lastError = error
    if doubts >= Self.enoughDoubts { isDoubted = true }
    if doubts == 0 { isDoubted = false }
    self.anchor = (Sighting(fix), Vector(), 0)
  }

  /// Over how many metres positions show the direction of travel if the receiver tells none.
  private static func bearingDistance(sigma: Double, _ parameters: DecisionParameters) -> Double {
    max(MotionModel.directionDistance(parameters), sigma)
  }

  /// Finds the direction of travel from the positions if the receiver tells none.
  ///
  /// A slow walker counts as still now and then, and may turn round meanwhile: so it goes on while standing.
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
