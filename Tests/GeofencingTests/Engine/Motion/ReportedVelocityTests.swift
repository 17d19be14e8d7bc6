import Glibc
import TestSupport
import Testing

@testable import Geofencing

/// What is made of speeds and courses that are off, or old.
@Suite struct ReportedVelocityTests {
  /// A winding drive at 20 m/s whose courses are turned, and whose speeds are stretched.
  private func drive(
    turned degrees: Double = 0, stretched factor: Double = 1, accuracy: Double? = 5,
    wandering deviation: Double = 0, until end: Double = 1200
  ) -> [Location] {
    var random = SplitMix64(seed: 3)
    var (east, north, course) = (0.0, 0.0, 40.0)
    // What a receiver is off by changes within a minute.
    var error = Vector()
    let kept = exp(-1 / 60.0)
    return seconds(0, end).map { second in
      course += second.truncatingRemainder(dividingBy: 60) < 8 ? 10 : 2 * random.normal()
      let way = Vector(length: 20, bearing: course)
      (east, north) = (east + way.east, north + way.north)
      if deviation > 0 {
        let kick = deviation * (1 - kept * kept).squareRoot()
        error = error * kept + Vector(east: random.normal(), north: random.normal()) * kick
      }
      return report(
        second, east: east + error.east + random.normal(),
        north: north + error.north + random.normal(),
        speed: 20 * factor, course: (course + degrees + 720).truncatingRemainder(dividingBy: 360),
        accuracy: accuracy)
    }
  }

  /// When fixes are refused after some minutes, in which it is learned.
  private func refused(_ fixes: [Location]) -> [Double] {
    var filter = MotionFilter()
    return filter.refusals(fixes).filter { $0 >= 300 }
  }

  @Test(arguments: [(0, 1), (4, 1), (12, 1), (-20, 1), (60, 1), (0, 1.3), (0, 0.6), (25, 1.2)])
  func `courses and speeds that are off by the same for long are put right`(
    degrees: Double, factor: Double
  ) {
    #expect(refused(drive(turned: degrees, stretched: factor)) == [])
  }

  /// Knots that a track gives as metres a second, kilometres an hour that a receiver gives as knots, and miles.
  @Test(arguments: [3600 / 1852.0, 1.852, 1.151])
  func `speeds in another unit are put right soon, also of positions without an accuracy`(
    factor: Double
  ) {
    var filter = MotionFilter()
    let refused = filter.refusals(drive(stretched: factor, accuracy: nil))
    #expect(!refused.contains { $0 >= 180 }, "\(refused)")
  }

  /// Of positions that are off by 6 m.
  @Test(arguments: [(0, 1), (5, 1), (0, 1.08), (0, 1.2), (12, 1)])
  func `what is off is learned once and kept, and nothing else`(
    degrees: Double, factor: Double
  ) {
    var velocity = ReportedVelocity()
    var (news, corrected) = (0, 0)
    let fixes = drive(turned: degrees, stretched: factor, wandering: 6, until: 3600)
    for var fix in fixes {
      let told = (fix.speed, fix.course)
      if velocity.correct(&fix, sigma: 6) { news += 1 }
      if told != (fix.speed, fix.course) { corrected += 1 }
    }
    let isOff = degrees != 0 || factor != 1
    #expect(isOff ? (1...4).contains(news) : news == 0, "\(news)")
    #expect(isOff ? corrected > 2700 : corrected == 0, "\(corrected)")
  }

  @Test func `what was learned of one receiver isn't taken for another one's`() throws {
    for name in ["/dev/b", "/dev/a"] {
      var engine = ConditionEngine()
      for var fix in drive(turned: 25).prefix(600) {
        fix.device = "/dev/a"
        _ = engine.judge(fix)
      }
      var restarted = try engine.restarted()
      let other = drive().dropFirst(600).map { fix in
        var fix = fix
        fix.device = name
        return fix
      }
      let refused = engine.judge(other).refused
      #expect(restarted.judge(other).refused == refused)
      // The same one that was set right is believed when that has shown.
      #expect(name == "/dev/b" ? refused == [] : !refused.contains { $0 > 800 })
    }
  }

  @Test func `what was learned isn't taken for another one's where that begins without speeds`() {
    var engine = ConditionEngine()
    let first = drive(turned: 25).prefix(600).map { fix in
      var fix = fix
      fix.device = "/dev/a"
      return fix
    }
    let other = drive().dropFirst(600).map { fix in
      var fix = fix
      let second = (fix.timestamp - at(0)).inSeconds
      fix.device = second < 630 ? "/dev/a" : "/dev/b"
      if second < 650 { (fix.speed, fix.course) = (nil, nil) }
      return fix
    }
    _ = engine.judge(first)
    #expect(engine.judge(other).refused == [])
  }

  /// Its courses turn with the meridians.
  @Test(arguments: [89.9, -89.95, 89.7, 85]) func `who goes around a pole teaches nothing`(
    latitude: Double
  ) throws {
    var filter = MotionFilter()
    let parallel = 6_399_594 * cos(latitude * .pi / 180)
    for second in seconds(0, 1200) {
      let longitude = second * 10 / parallel * 180 / .pi
      let place = try #require(
        Coordinate(latitude: latitude, longitude: remainder(longitude, 360)))
      let fix = report(second, speed: 10, course: 90, accuracy: nil, from: place)
      let estimate = try filter.believed(fix)
      #expect(estimate.coordinate.distance(to: place) < 10)
    }
  }

  /// Rails are straight, and courses in whole degrees the same for long.
  @Test func `a course that was held is one again at speed`() throws {
    func sigma(wobbling degrees: Double) throws -> Double {
      var filter = MotionFilter()
      var last: PositionEstimate?
      for second in seconds(0, 260) {
        let course = 90 + second.remainder(dividingBy: 2) * degrees
        let fix = report(
          second, east: max(0, second - 200) * 15, speed: second < 200 ? 0.05 : 15,
          course: second < 200 ? 90 : course, accuracy: nil)
        last = try filter.believed(fix)
      }
      return try #require(last).sigma
    }
    #expect(try abs(sigma(wobbling: 0) - sigma(wobbling: 0.01)) < 0.05)
  }

  /// What it makes of a course to the east after a drive.
  private func course(after drive: [Location]) throws -> Double? {
    var velocity = ReportedVelocity()
    for var fix in drive { _ = velocity.correct(&fix, sigma: 1) }
    let last = try #require(drive.last)
    var east = report(
      (last.timestamp - at(0)).inSeconds + 1, speed: 20, course: 90, from: last.coordinate)
    _ = velocity.correct(&east, sigma: 1)
    return east.course
  }

  /// What was wrong for long may have been put right in the receiver.
  @Test func `what was learned is given up sooner than it was learned`() throws {
    let change = 600.0
    var velocity = ReportedVelocity()
    var corrected: [Double] = []
    for (wrong, right) in zip(drive(turned: 25), drive()) {
      var fix = wrong.timestamp < at(change) ? wrong : right
      let told = fix.course
      _ = velocity.correct(&fix, sigma: 1)
      if fix.course != told { corrected.append((fix.timestamp - at(0)).inSeconds) }
    }
    let (first, last) = try (#require(corrected.first), #require(corrected.last))
    #expect(last > change && last - change < first)
  }

  @Test func `what was learned is forgotten where positions go elsewhere for long`() throws {
    var velocity = ReportedVelocity()
    let fixes = drive(turned: 25)
    for var fix in fixes { _ = velocity.correct(&fix, sigma: 1) }
    #expect(!velocity.isNew)
    velocity.doubt()
    #expect(velocity.isNew)
  }

  /// From one roundabout to the next, at up to 25 m/s: the pieces on which it brakes end in a bend.
  @Test func `positions that lag while it gets faster and slower teach nothing`() {
    var (east, north) = (0.0, 0.0)
    var way: [(east: Double, north: Double, speed: Double, course: Double)] = []
    for tenth in 0..<9000 {
      let second = (Double(tenth) / 10).truncatingRemainder(dividingBy: 32)
      let speed = max(6, min(6 + 1.5 * second, 25, 6 + 1.5 * (24 - second)))
      let course = second < 24 ? 0 : 70 * sin((second - 24) / 4 * .pi)
      let step = Vector(length: speed / 10, bearing: course)
      (east, north) = (east + step.east, north + step.north)
      way.append((east, north, speed, (course + 360).truncatingRemainder(dividingBy: 360)))
    }
    var velocity = ReportedVelocity()
    var corrected = 0
    for number in stride(from: 20, to: way.count, by: 10) {
      let (seen, told) = (way[number - 20], way[number])
      var fix = report(
        Double(number) / 10, east: seen.east, north: seen.north, speed: told.speed,
        course: told.course)
      _ = velocity.correct(&fix, sigma: 4)
      if fix.speed != told.speed { corrected += 1 }
    }
    #expect(corrected == 0)
  }

  @Test func `courses that are late in bends teach nothing`() throws {
    let bends = seconds(0, 600).map { second in
      // A circle of 400 m at 20 m/s, whose courses are those of two seconds before.
      let angle = second * 20 / 400
      return report(
        second, east: 400 * cos(angle), north: -400 * sin(angle), speed: 20,
        course: 180 + (angle - 0.1).remainder(dividingBy: 2 * .pi) * 180 / .pi)
    }
    #expect(try course(after: bends) == 90)
    #expect(try course(after: drive(turned: 25)).map { abs($0 - 65) < 2 } == true)
  }

  @Test func `what was learned is known after a restart`() throws {
    let fixes = drive(turned: 15)
    var filter = MotionFilter()
    for fix in fixes.prefix(600) { _ = filter.take(fix, with: DecisionParameters()) }
    var archived = filter
    let words = NumberArchive.words(form: 1) { archived.exchange(with: &$0) }
    var next = MotionFilter()
    #expect(NumberArchive.read(words, form: 1) { next.exchange(with: &$0) })
    for fix in fixes.dropFirst(600) {
      let (one, other) = (
        filter.take(fix, with: DecisionParameters()), next.take(fix, with: DecisionParameters())
      )
      guard let estimate = one, let same = other else {
        Issue.record("\(fix.timestamp.rfc3339) is refused")
        continue
      }
      #expect(estimate.coordinate == same.coordinate && estimate.sigma == same.sigma)
    }
  }

  @Test func `who walks off isn't led the way that a course was held`() throws {
    var filter = MotionFilter()
    var random = SplitMix64(seed: 4)
    for second in seconds(0, 500) {
      let way = max(0, second - 400) * 1
      let fix = report(
        second, east: way + random.normal(), north: random.normal(),
        speed: second < 400 ? 0.1 * abs(random.normal()) : 1, course: 200)
      let estimate = try filter.believed(fix)
      #expect(estimate.coordinate.distance(to: fix.coordinate) < 15)
    }
  }

  /// Its speeds are noise, whose directions would cancel each other out.
  @Test func `a course that a receiver holds at rest leads nowhere`() throws {
    var receiver = WanderingReceiver(seed: 11)
    receiver.doppler = 0.15
    var filter = MotionFilter()
    var taken = 0
    for second in seconds(0, 4 * 3600) {
      var fix = receiver.report(second)
      fix.course = 123.4
      guard let estimate = filter.estimate(fix) else { continue }
      taken += 1
      if second > 60 { #expect(centre.distance(to: estimate.coordinate) < 12) }
    }
    #expect(taken > 14_000)
  }
}
