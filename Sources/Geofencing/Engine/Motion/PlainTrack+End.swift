import Glibc

extension PlainTrack {
  /// A fix of the track, and how the track came there.
  struct End {
    var fix: Sighting

    /// When the same position was told for the last time: some receivers tell a position more often than they find
    /// one.
    var latest: Timestamp

    /// In metres per second; nil at the first fix.
    var velocity: Vector?

    /// The standard deviation of the fix along one axis, in metres.
    var sigma: Double

    /// The mean square of the distances between fixes and where they were expected, in square metres.
    ///
    /// Velocities made from positions have the noise of positions.
    var noise = 0.0

    /// How many metres a degree of longitude has here.
    var degree: Double

    /// How many metres a degree of the equator has; one of a meridian is shorter by 0.7 % at most.
    static let metresPerDegree = 111_320.0

    /// In how many seconds half of a change of the velocity is believed.
    ///
    /// Between fixes close together, errors make more of the change.
    static let gainTime = 0.3

    /// From which speed in metres per second on a position that is repeated is an old one, and for how long.
    private static let holdingSpeed = 5.0
    private static let holdingTime = Duration.seconds(10)

    init(_ fix: Sighting, velocity: Vector? = nil, sigma: Double) {
      self.fix = fix
      latest = fix.timestamp
      self.velocity = velocity
      self.sigma = sigma
      degree = Self.metresPerDegree * cos(fix.coordinate.latitude * .pi / 180)
    }

    /// A value to read an archived one into.
    init(at fix: Sighting) { (self.fix, latest, sigma, degree) = (fix, fix.timestamp, 1, 0) }

    var isSound: Bool { sigma > 0 && noise >= 0 && (0...Self.metresPerDegree).contains(degree) }

    mutating func exchange(with archive: inout NumberArchive) {
      fix.exchange(with: &archive)
      archive.exchange(&latest)
      archive.exchange(&velocity, into: Vector()) { $1.exchange(&$0) }
      archive.exchange(&sigma)
      archive.exchange(&noise)
      archive.exchange(&degree)
    }

    /// How far a fix lies from the way on, in metres, and whether something can have got there.
    func offset(
      of fix: borrowing Location, sigma: Double, with parameters: DecisionParameters
    ) -> (metres: Double, isPossible: Bool) {
      guard let velocity else { return (0, true) }
      let moved = Vector(from: self.fix.coordinate, to: fix.coordinate)
      let ahead = velocity * (fix.timestamp - self.fix.timestamp).inSeconds
      // It may have stopped on the way, so every place on it is right.
      let along = moved.dot(ahead) / ahead.squaredLength
      let metres = (moved - ahead * (along > 0 ? min(along, 1) : 0)).length
      let leeway = Leeway(parameters).metres(after: (fix.timestamp - latest).inSeconds)
      let error = max(MotionModel.jumpShare * max(sigma, self.sigma), 4 * noise.squareRoot())
      return (
        metres, metres <= leeway + max(error - MotionModel.jumpDistance(atSpeed: 0, parameters), 0)
      )
    }

    /// Learns from the distance between a fix and where it was expected.
    @inline(__always)
    mutating func learn(squaredDistance: Double, after seconds: Double) {
      // A larger distance is a turn, or a jump that wasn't noticed.
      noise += (min(squaredDistance, 900) - noise) * (seconds / (seconds + 60))
    }

    /// The end of the track with the next fix, which lies so many metres from where it was expected.
    func next(_ fix: borrowing Location, sigma: Double, aside metres: Double) -> End {
      let time = fix.timestamp - self.fix.timestamp
      if fix.coordinate == self.fix.coordinate, let velocity, time <= Self.holdingTime,
        velocity.length >= Self.holdingSpeed
      {
        var end = self
        (end.latest, end.sigma) = (fix.timestamp, sigma)
        return end
      }
      let seconds = time.inSeconds
      var end = End(Sighting(fix), velocity: velocity, sigma: sigma)
      end.noise = noise
      // Two positions of the same moment, as two receivers may tell them, say nothing about the velocity.
      guard seconds > 0 else { return end }
      var new = Vector(from: self.fix.coordinate, to: fix.coordinate) * (1 / seconds)
      if let velocity { new = velocity + (new - velocity) * (seconds / (seconds + Self.gainTime)) }
      end.velocity = new.turned(by: self.fix.coordinate.convergence(to: fix.coordinate))
      if seconds <= MotionModel.seldom {
        end.learn(squaredDistance: metres * metres, after: seconds)
      }
      return end
    }
  }
}
