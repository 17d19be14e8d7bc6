import Geofencing
import Positioning
import TestSupport
import Testing

@Suite struct `The automatic pause` {
  /// A fix so many metres north of the spot.
  private func fix(_ second: Double, north: Double = 0, speed: Double? = 0.1) -> Location {
    spotFix(
      at: second, north: north, speed: speed, course: speed.map { $0 > 0.5 ? 0 : 90 })
  }

  private func pause(
    _ mode: PauseParameters.Mode = .updates, after: Duration = .seconds(300)
  ) -> AutomaticPause {
    var parameters = PauseParameters()
    parameters.mode = mode
    parameters.after = after
    return AutomaticPause(parameters)
  }

  /// A pause that has begun, at 300 seconds.
  private func begun() -> AutomaticPause {
    var pause = pause()
    for second in 0...300 { _ = pause.take(fix(Double(second))) }
    return pause
  }

  @Test func `tells one last time after the time, then nothing until it moves`() {
    var pause = pause()
    var steps: [AutomaticPause.Step] = []
    for second in 0..<600 { steps.append(pause.take(fix(Double(second)))) }
    #expect(steps.prefix(300).allSatisfy { $0 == .tell(isStationary: false) })
    #expect(steps[300] == .pause)
    #expect(steps.dropFirst(301).allSatisfy { $0 == .silence })
    #expect(pause.isPaused)

    let walk = (0..<8).map { step in
      pause.take(fix(600 + Double(step), north: Double(step) * 1.4, speed: 1.4))
    }
    let resumed = walk.firstIndex(of: .resume)
    #expect(resumed.map { $0 <= 5 } == true)
    #expect(walk.last == .tell(isStationary: false))
    #expect(!pause.isPaused && !pause.isStationary)
  }

  @Test func `doesn't begin with a fix that is elsewhere`() {
    var pause = pause()
    for second in 0...200 { _ = pause.take(fix(Double(second))) }
    #expect(pause.isStationary)
    // An hour in a tunnel, or with the lid closed.
    let steps = (0..<60).map {
      pause.take(fix(4000 + Double($0), north: 50_000 + Double($0) * 40, speed: 40))
    }
    #expect(steps.allSatisfy { $0 == .tell(isStationary: false) })
    #expect(!pause.isPaused && !pause.isStationary)
  }

  @Test func `doesn't begin with a fix that is fast`() {
    var pause = pause()
    for second in stride(from: 0.0, to: 300, by: 10) { _ = pause.take(fix(second)) }
    var leaving = pause
    #expect(leaving.take(fix(300, north: 40, speed: 4)) == .tell(isStationary: false))
    #expect(pause.take(fix(300)) == .pause)
  }

  @Test func `doesn't begin while a receiver without speeds moves away`() {
    var pause = pause()
    for second in 0...280 { _ = pause.take(fix(Double(second), speed: nil)) }
    #expect(pause.isStationary)
    let steps = (281..<420).map {
      pause.take(fix(Double($0), north: Double($0 - 280) * 12, speed: nil))
    }
    #expect(!steps.contains(.pause))
    #expect(!pause.isPaused && !pause.isStationary)
  }

  @Test func `waits for a fix at the place where it rests`() {
    var pause = pause()
    for second in 0..<299 { _ = pause.take(fix(Double(second))) }
    // A reflection.
    for second in 299..<310 {
      #expect(pause.take(fix(Double(second), north: 400)) == .tell(isStationary: false))
    }
    #expect(pause.take(fix(310)) == .pause)
  }

  @Test func `says why it isn't there`() {
    var (pause, never) = (pause(), pause(.never))
    #expect(pause.obstacle == .tooNew(.zero, of: .seconds(120)))
    func rest(_ seconds: ClosedRange<Int>) {
      for second in seconds {
        _ = (pause.take(fix(Double(second))), never.take(fix(Double(second))))
      }
    }
    rest(0...60)
    #expect(pause.obstacle == .tooNew(.seconds(60), of: .seconds(120)))
    rest(61...299)
    #expect(pause.obstacle == .pausesLater(.seconds(300)) && never.obstacle == .mode(.never))
    var leaving = pause
    _ = leaving.take(fix(300, north: 400))
    #expect(leaving.obstacle == .mayBeLeaving)
    rest(300...300)
    #expect(pause.obstacle == nil && pause.isPaused)
    for step in 1...10 {
      _ = pause.take(fix(300 + Double(step), north: Double(step) * 10, speed: 10))
    }
    #expect(pause.obstacle == .movement)
  }

  @Test func `comes again after the next rest, counted anew`() {
    var pause = begun()
    #expect(pause.isPaused)
    var second = 300.0
    for step in 1...60 {
      second += 1
      _ = pause.take(fix(second, north: Double(step) * 10, speed: 10))
    }
    #expect(!pause.isPaused)
    var paused: Double?
    for _ in 0..<400 {
      second += 1
      if pause.take(fix(second, north: 600)) == .pause { paused = second }
    }
    // The last fast fixes are of the movement: a few seconds may pass until it counts as still.
    #expect(paused.map { (660...680).contains($0) } == true)
  }

  @Test func `never comes when it isn't wanted, but says that it is still`() {
    var pause = pause(.never)
    let steps = (0..<1000).map { pause.take(fix(Double($0))) }
    #expect(steps[60] == .tell(isStationary: false))
    #expect(steps[200...].allSatisfy { $0 == .tell(isStationary: true) })
    #expect(!pause.isPaused)
  }

  @Test func `waits for stillness when its own time is shorter`() {
    var pause = pause(after: .seconds(30))
    let steps = (0..<200).map { pause.take(fix(Double($0))) }
    #expect(steps.firstIndex(of: .pause) == 120)
  }

  @Test func `doesn't come while a third of its time is missing`() {
    var pause = pause(after: .seconds(120))
    let seconds = Array(0...40) + Array(90...240)
    let steps = seconds.map { pause.take(fix(Double($0))) }
    // It counts from then on where it came again.
    #expect(steps.firstIndex(of: .pause).map { seconds[$0] } == 210)
  }

  // MARK: Looks

  /// What a look finds, and with which fix.
  private func look(
    _ pause: inout AutomaticPause, _ fixes: [Location]
  ) -> (finding: AutomaticPause.Finding, count: Int) {
    pause.beginLook()
    for (index, fix) in fixes.enumerated() {
      let finding = pause.look(at: fix)
      if finding != .unsure { return (finding, index + 1) }
    }
    return (.unsure, fixes.count)
  }

  @Test func `ends a look at an unchanged place with a few fixes`() {
    var pause = begun()
    let found = look(&pause, (0..<60).map { fix(400 + Double($0), north: 12) })
    #expect(found == (.still, 4))
    #expect(pause.isPaused)
  }

  @Test func `looks longer when one fix is far off, and isn't fooled`() {
    var pause = begun()
    let reflected = (0..<60).map { fix(400 + Double($0), north: $0 < 15 ? 180 : 5) }
    let found = look(&pause, reflected)
    #expect(found.finding == .still)
    #expect((16...25).contains(found.count))
    #expect(pause.isPaused)
  }

  @Test func `counts no fix that is far off to the next look`() {
    var pause = begun()
    let first = look(&pause, (0..<4).map { fix(400 + Double($0), north: $0 == 3 ? 180 : 0) })
    #expect(first == (.still, 4))
    let next = look(
      &pause, (0..<60).map { fix(580 + Double($0), north: $0 < 3 ? 180 : 5) })
    #expect(next.finding == .still)
    #expect(pause.isPaused)
  }

  @Test func `is unsure from a look's beginning on until some fixes agree`() {
    var pause = begun()
    #expect(!pause.isUnsure)
    pause.beginLook()
    for second in 0..<3 {
      #expect(pause.take(fix(400 + Double(second))) == .silence)
      #expect(pause.isUnsure)
    }
    #expect(pause.take(fix(403)) == .silence)
    #expect(!pause.isUnsure)
    // One that is fast may be the first of a departure, or nothing.
    #expect(pause.take(fix(404, north: 1, speed: 1.8)) == .silence)
    #expect(pause.isUnsure)
    #expect(pause.take(fix(405)) == .silence)
    #expect(!pause.isUnsure && pause.isPaused)
  }

  @Test func `finds that it is elsewhere, though it stands`() {
    var pause = begun()
    let found = look(&pause, (0..<60).map { fix(400 + Double($0), north: 300) })
    #expect(found == (.moved, 46))
    #expect(!pause.isPaused)
    #expect(pause.take(fix(446, north: 300)) == .tell(isStationary: false))
  }

  @Test func `finds at once that it drives`() {
    var pause = begun()
    let found = look(
      &pause, (0..<60).map { fix(400 + Double($0), north: 200 + 12 * Double($0), speed: 12) })
    #expect(found == (.moved, 2))
  }

  @Test func `follows a place that wanders from look to look`() {
    var pause = begun()
    for round in 1...40 {
      let start = 300 + Double(round) * 60
      let found = look(
        &pause, (0..<10).map { fix(start + Double($0), north: Double(round) * 2) })
      #expect(found == (.still, 4), "round \(round)")
    }
  }

  @Test func `doesn't count a fix from before the pause`() {
    var pause = begun()
    let late = [fix(309)] + (0..<20).map { fix(400 + Double($0), north: 300) }
    #expect(look(&pause, late) == (.unsure, 21))
  }

  @Test func `isn't sure of fixes that are too few`() {
    var pause = begun()
    let found = look(&pause, [fix(400), fix(401), fix(402)])
    #expect(found == (.unsure, 3))
    #expect(pause.isPaused)
  }

  @Test func `takes no fast fix of one look for the beginning of what the next one sees`() {
    var pause = begun()
    let first = look(&pause, (0..<4).map { fix(400 + Double($0), speed: $0 == 3 ? 3 : 0.1) })
    #expect(first == (.still, 4))
    #expect(look(&pause, [fix(440, speed: 3)]) == (.unsure, 1))
  }

  @Test func `is unsure of fixes close by that are fast, in any direction`() {
    var pause = begun()
    let fixes = (0..<10).map { number in
      var fix = fix(400 + Double(number), speed: 1.5)
      fix.course = number.isMultiple(of: 2) ? 0 : 180
      return fix
    }
    #expect(look(&pause, fixes) == (.unsure, 10))
  }

  /// What is far away, and seems to be back for a moment now and then, has left most likely.
  @Test func `never finds still what is far away most of the time`() {
    var pause = begun()
    let fixes = (0..<300).map { fix(400 + Double($0), north: $0 % 20 == 19 ? 0 : 300) }
    #expect(look(&pause, fixes) == (.unsure, 300))
  }

  @Test(arguments: [(1.0, 46), (0.1, 451)])
  func `finds still what stays a little off for as long as it would take to leave`(
    step: Double, count: Int
  ) {
    var pause = begun()
    let fixes = (0..<600).map { fix(400 + Double($0) * step, north: 50) }
    #expect(look(&pause, fixes) == (.still, count))
  }

  @Test func `begins anew with a fix of an earlier time, or after half a minute`() {
    var pause = begun()
    #expect(look(&pause, [450, 400, 401, 402, 403].map { fix($0) }) == (.still, 5))
    #expect(look(&pause, [500, 501, 532, 533, 534, 535].map { fix($0) }) == (.still, 6))
  }
}
