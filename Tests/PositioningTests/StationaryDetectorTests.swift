import Geofencing
import Positioning
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The stationary detector` {
  /// A receiver as in the model: wandering, noise, reflections of 30 to 250 m, noisy Doppler speeds.
  private func receiver(
    seed: UInt64, drift: Double, driftTime: Duration, doppler: Double
  ) -> Receiver {
    var faults = Receiver.Faults()
    faults.drift = drift
    faults.driftTime = driftTime
    faults.noise = 0.8
    faults.dopplerNoise = doppler
    faults.reflectionSize = 30...250
    faults.reflectionLength = 1...20
    faults.reflectionInterval = .seconds(300)
    return Receiver(seed: seed, faults: faults)
  }

  private var good: Receiver {
    receiver(seed: 5, drift: 3, driftTime: .seconds(60), doppler: 0.1)
  }

  private let spot = Coordinate(latitude: 52.5163, longitude: 13.3777)

  private func parameters(
    _ live: LiveConfiguration = .default
  ) -> StationaryParameters { live.parameters.stationary }

  /// The changes of a detector's mind, by the seconds since the beginning.
  private func changes(
    _ fixes: some Sequence<Location>, _ live: LiveConfiguration = .default
  ) -> [Double] {
    var detector = StationaryDetector(parameters(live))
    var changes: [Double] = []
    var was = false
    for fix in fixes {
      let isStationary = detector.take(fix)
      if isStationary != was { changes.append((fix.timestamp - at(0)).inSeconds) }
      was = isStationary
    }
    return changes
  }

  private func fixes(_ track: Track, _ receiver: Receiver, rate: Double = 1) -> [Location] {
    receiver.observe(track, startingAt: at(0), rate: rate).compactMap(\.location)
  }

  /// Stands for some time, then goes off to the east.
  private func departure(
    after wait: Duration, cruise: Double, acceleration: Double, metres: Double = 400
  ) throws -> Track {
    let start = try #require(spot)
    return Track(
      from: start,
      through: [Track.Waypoint(start.moved(by: metres, bearing: 90), cruise: cruise)],
      acceleration: acceleration, standingFirst: wait)
  }

  // MARK: Rest

  @Test(arguments: [
    (3.0, 20, 0.05), (3.0, 120, 0.3), (5.0, 60, 0.2), (8.0, 20, 0.3), (8.0, 120, 0.1),
    (8.0, 60, 0.3),
  ])
  func `finds rest in time and keeps it through eight hours of drift`(
    drift: Double, driftTime: Int, doppler: Double
  ) throws {
    let track = Track(standingAt: try #require(spot), for: .seconds(8 * 3600))
    for seed in UInt64(1)...2 {
      let receiver = receiver(
        seed: seed, drift: drift, driftTime: .seconds(driftTime), doppler: doppler)
      // Every other receiver says nothing about its reception.
      let told = fixes(track, receiver).map { fix in
        var fix = fix
        if seed == 2 {
          fix.satellitesUsed = nil
          fix.horizontalAccuracy = nil
        }
        return fix
      }
      let changes = changes(told)
      #expect(changes.count == 1, "\(changes)")
      #expect(try #require(changes.first) <= 240)
    }
  }

  @Test(arguments: LiveConfiguration.allCases)
  func `finds rest in every configuration within its time`(live: LiveConfiguration) throws {
    let track = Track(standingAt: try #require(spot), for: .seconds(6000))
    let changes = changes(fixes(track, good), live)
    #expect(changes.count == 1)
    let window = live.parameters.stationary.window.inSeconds
    #expect(try #require(changes.first) <= window * 1.1 + 60)
  }

  @Test func `keeps rest through a real receiver's eight hours`() async throws {
    let fixes = try await recordedFixes()
    let first = try #require(fixes.first).timestamp
    let length = try #require(fixes.last).timestamp - first + .seconds(1)
    let repeated = (0..<4).flatMap { round in
      fixes.map { fix in
        var later = fix
        later.timestamp = at(0) + (fix.timestamp - first) + length * round
        return later
      }
    }
    #expect(repeated.count > 28_000)
    let changes = changes(repeated)
    #expect(changes.count == 1, "\(changes)")
    #expect(try #require(changes.first) <= 240)
  }

  @Test(arguments: [0.1, 1, 5, 10])
  func `finds rest and departure at every rate`(rate: Double) throws {
    let track = try departure(after: .seconds(600), cruise: 12, acceleration: 2, metres: 3000)
    let changes = changes(fixes(track, good, rate: rate))
    #expect(changes.count == 2, "\(changes)")
    #expect(try #require(changes.first) <= 240)
    #expect((600...(600 + max(2.1, 3 / rate))).contains(try #require(changes.last)))
  }

  @Test func `does without speeds`() throws {
    let track = try departure(after: .seconds(1200), cruise: 1.4, acceleration: 0.6)
    let changes = changes(
      fixes(track, good).map { fix in
        var fix = fix
        fix.speed = nil
        fix.course = nil
        return fix
      })
    #expect(changes.count == 2, "\(changes)")
    #expect(try #require(changes.first) <= 300)
    #expect((1200...1320).contains(try #require(changes.last)))
  }

  @Test func `keeps rest over gaps and notices that the place is another after one`() throws {
    let start = try #require(spot)
    let here = fixes(Track(standingAt: start, for: .seconds(600)), good)
    let shift: (Location, Double) -> Location = { fix, metres in
      var moved = fix
      moved.timestamp = fix.timestamp + .seconds(4200)
      moved.coordinate = fix.coordinate.moved(by: metres, bearing: 40)
      return moved
    }
    #expect(changes(here + here.map { shift($0, 0) }).count == 1)
    let elsewhere = changes(here + here.map { shift($0, 500) })
    #expect(elsewhere.count == 3, "\(elsewhere)")
    #expect((4200...4300).contains(elsewhere[1]))
  }

  @Test func `isn't upset by a clock that is set back`() throws {
    let fixes = fixes(Track(standingAt: try #require(spot), for: .seconds(900)), good)
    let back = fixes.map { fix in
      var fix = fix
      if fix.timestamp > at(450) { fix.timestamp = fix.timestamp + .seconds(-1_000_000) }
      return fix
    }
    #expect(changes(back).count == 1)
  }

  @Test func `begins anew with a time that isn't later than the last`() throws {
    let place = try #require(spot)
    var detector = StationaryDetector()
    var atRest: [Int] = []
    for second in Array(0..<120) + [50] + Array(120...240) {
      let fix = Location(timestamp: at(Double(second)), coordinate: place)
      if detector.take(fix) { atRest.append(second) }
    }
    #expect(atRest == [240])
  }

  @Test func `hasn't been still while a clock was set forward`() throws {
    let fixes = fixes(Track(standingAt: try #require(spot), for: .seconds(900)), good)
    let jump = Duration.seconds(1024 * 7 * 86_400)
    var detector = StationaryDetector()
    for fix in fixes {
      var fix = fix
      if fix.timestamp >= at(450) {
        fix.followsDiscontinuity = fix.timestamp < at(451)
        fix.timestamp = fix.timestamp + jump
      }
      detector.take(fix)
      guard fix.timestamp > at(450) else { continue }
      #expect(detector.isStationary)
      let still = fix.timestamp - (try #require(detector.stillSince))
      #expect(still <= fix.timestamp - (at(0) + jump))
    }
  }

  // MARK: Departures

  @Test(arguments: UInt64(1)...12)
  func `notices within five seconds that somebody walks away`(seed: UInt64) throws {
    let doppler = [0.05, 0.1, 0.2][Int(seed) % 3]
    let receiver = quiet(seed: seed, doppler: doppler)
    let track = try departure(after: .seconds(400), cruise: 1.4, acceleration: 0.9)
    let changes = changes(fixes(track, receiver))
    #expect(changes.count == 2, "\(changes)")
    #expect((400...405).contains(try #require(changes.last)))
  }

  @Test(arguments: UInt64(1)...12)
  func `notices within two seconds that a car drives off`(seed: UInt64) throws {
    let receiver = quiet(seed: seed, doppler: [0.05, 0.1, 0.3][Int(seed) % 3])
    let track = try departure(after: .seconds(700), cruise: 14, acceleration: 2)
    for live in [LiveConfiguration.default, .automotiveNavigation] {
      let changes = changes(fixes(track, receiver), live)
      #expect(changes.count == 2, "\(changes)")
      #expect((700...702).contains(try #require(changes.last)))
    }
  }

  /// A receiver that wanders but loses no epoch, so that times can be told to the second.
  private func quiet(seed: UInt64, doppler: Double) -> Receiver {
    var faults = Receiver.Faults()
    faults.drift = 4
    faults.dopplerNoise = doppler
    faults.reflectionInterval = nil
    faults.gapInterval = nil
    faults.lossInterval = nil
    faults.repeatsPerThousand = 0
    return Receiver(seed: seed, faults: faults)
  }

  // MARK: What isn't rest

  @Test func `takes no traffic jam for rest in a car`() throws {
    var random = SplitMix64(seed: 3)
    var here = try #require(spot)
    var waypoints: [Track.Waypoint] = []
    for _ in 0..<40 {
      here = here.moved(by: random.uniform(12...60), bearing: 80)
      let wait = Int(random.uniform(20...180))
      waypoints.append(
        Track.Waypoint(here, cruise: random.uniform(2...6), wait: .seconds(wait)))
    }
    let track = Track(from: try #require(spot), through: waypoints, standingFirst: .seconds(100))
    for seed in UInt64(1)...3 {
      let receiver = receiver(seed: seed, drift: 4, driftTime: .seconds(60), doppler: 0.1)
      #expect(changes(fixes(track, receiver), .automotiveNavigation) == [])
    }
  }

  @Test func `takes neither a hover nor a slow climb for rest of what flies`() throws {
    let track = Track(standingAt: try #require(spot), for: .seconds(7200))
    let still = fixes(track, good)
    let hover = still.prefix { $0.timestamp < at(2400) }
    #expect(changes(hover, .airborne) == [])
    let climb = still.map { fix in
      var fix = fix
      fix.altitude = 100 + 0.05 * (fix.timestamp - at(0)).inSeconds
      return fix
    }
    #expect(changes(climb, .airborne) == [])
    #expect(changes(climb, .default).count == 1)
    #expect(changes(still, .airborne).count == 1)
  }

  @Test func `takes no slow way for rest`() throws {
    let start = try #require(spot)
    let end = start.moved(by: 1200, bearing: 10)
    let boat = Track(from: start, through: [Track.Waypoint(end, cruise: 0.45)])
    #expect(changes(fixes(boat, good)) == [])
  }

  @Test func `takes a speed that nothing can reach for no departure`() throws {
    var fixes = fixes(
      Track(standingAt: try #require(spot), for: .seconds(600)), quiet(seed: 1, doppler: 0.1))
    for index in fixes.indices where fixes[index].timestamp > at(300) && index % 20 < 2 {
      // As derived from a position that jumps.
      fixes[index].speed = 90
    }
    #expect(changes(fixes).count == 1)
  }

  @Test func `one wrong altitude is no departure where those after it have none`() throws {
    var parameters = parameters(.airborne)
    parameters.window = .seconds(120)
    var detector = StationaryDetector(parameters)
    func take(_ second: Int, _ altitude: Double?) throws {
      var fix = Location(
        timestamp: at(Double(second)), coordinate: try #require(spot), horizontalAccuracy: 5,
        speed: 0)
      fix.altitude = altitude
      _ = detector.take(fix)
    }
    for second in 0...150 { try take(second, 100) }
    #expect(detector.isStationary)
    try take(151, 600)
    for second in 152...260 { try take(second, nil) }
    #expect(detector.isStationary)
  }
}
