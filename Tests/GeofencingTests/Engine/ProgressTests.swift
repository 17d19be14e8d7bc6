import TestSupport
import Testing

@testable import Geofencing

/// Going on after a restart with all that is stored, as if there had been none.
struct ProgressTests {
  @Test(arguments: try RestartJourney.all())
  func `wherever it is interrupted, what is told is the same`(journey: RestartJourney) throws {
    for isExhaustive in [false, true] {
      var whole = engine(journey.condition, assuming: journey.state)
      whole.isExhaustive = isExhaustive
      let start = whole
      let expected = try journey.transitions(in: &whole) { _ in false }
      #expect(expected.map(\.short) == journey.events)
      if !journey.bounds.isEmpty { #expect(expected.map(\.bounds) == journey.bounds) }
      for cut in 0...journey.fixes.count {
        for (name, isCut) in [
          ("at", { $0 == cut }), ("twice at", { $0 == cut || $0 == cut + 1 }),
          ("from", { $0 >= cut }),
        ] as [(String, (Int) -> Bool)] {
          var engine = start
          let told = try journey.transitions(in: &engine, restartBefore: isCut)
          try #require(told == expected, "\(name) \(cut)")
          #expect(engine[home]?.status == whole[home]?.status, "\(name) \(cut)")
          #expect(engine.progressByKey == whole.progressByKey, "\(name) \(cut)")
        }
      }
    }
  }

  /// Whatever moves, and whatever is watched.
  @Test(arguments: Array(1...12), [3, 40])
  func `the same is told of any world`(seed: UInt64, every: Int) throws {
    var world = try ExhaustiveTests.World(seed: seed, isShaped: seed % 4 == 0)
    var whole = ConditionEngine(parameters: .leaping)
    for number in 0..<60 {
      let state: ConditionState =
        world.one(in: 2) ? .unsatisfied : world.one(in: 4) ? .satisfied : .unknown
      _ = whole.add(
        try world.condition(), as: ConditionKey(monitor: monitor, identifier: "c\(number)"),
        assuming: state, at: at(world.now))
    }
    var engine = whole
    var (events, inProgress) = (0, 0)
    for round in 0..<400 {
      if world.one(in: every) { engine = try engine.restarted() }
      let fix = world.fix()
      let (found, expected) = (engine.process(fix), whole.process(fix))
      try #require(found == expected, "round \(round)")
      events += expected.count
      if world.one(in: 100) {
        let later = at(world.now + 700)
        try #require(engine.advance(to: later) == whole.advance(to: later), "round \(round)")
      }
      // What is forgotten rests then.
      let isMore = { (_: ConditionKey, one: ConditionProgress) in one.words != nil }
      let (more, all) = (
        engine.progressByKey.filter(isMore), whole.progressByKey.filter(isMore)
      )
      try #require(more == all, "round \(round)")
      inProgress += whole.progress.count
      for key in whole.keys {
        let (known, all) = (try #require(engine[key]).status, try #require(whole[key]).status)
        try #require(known.progress == all.progress, "\(key.identifier) in round \(round)")
        try #require(known.state == all.state && known.visit == all.visit)
      }
    }
    #expect(events > 10)
    #expect(inProgress > 50)
  }

  @Test(arguments: [nil, Duration.zero], [nil, 8.0, 1e8])
  func `the way begins at no fix that came before the condition`(
    enterAfter: Duration?, setBackFrom: Double?
  ) throws {
    var engine = ConditionEngine(parameters: .leaping)
    // A clock that was set back makes nothing older that was added since.
    if let setBackFrom { _ = engine.process(fix(setBackFrom, -400)) }
    for second in 0..<10 { _ = engine.process(fix(Double(second), -400)) }
    _ = engine.add(
      try circle(enterAfter: enterAfter), as: home, assuming: .unsatisfied, at: at(20),
      fixTime: at(20))
    var restarted = try engine.restarted()
    for second in [25.0, 26, 27] {
      #expect(engine.process(fix(second, 400)) == [])
      #expect(restarted.process(fix(second, 400)) == [])
    }
  }

  @Test(arguments: 0..<18)
  func `bounds reach back to the same fix, however many came before the restart`(cut: Int) throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    for second in 0..<200 + cut { _ = engine.process(fix(Double(second), second < 90 ? 0 : 97)) }
    // Refused ones push none of them out.
    for second in 0..<9 {
      engine.note(RejectedFix(timestamp: at(Double(second)), coordinate: nil, reason: "noFix"))
      engine.note(RejectedFix(timestamp: at(Double(second)), coordinate: nil, reason: "jump"))
    }
    for var engine in [engine, try engine.restarted()] {
      for second in 218..<330 { _ = engine.process(fix(Double(second), 97)) }
      let exit = (400..<404).flatMap { engine.process(fix(Double($0), 400)) }.first
      #expect(exit?.bounds?.lowerBound == at(80))
    }
  }

  @Test(arguments: [false, true])
  func `what nobody could ever decide is in doubt since it was added`(isRestarted: Bool) throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    for second in 0..<140 { _ = engine.process(fix(Double(second), 100)) }
    if isRestarted { engine = try engine.restarted() }
    _ = engine.advance(to: at(900))
    let entry = (900..<904).flatMap { engine.process(fix(Double($0), 0)) }.first
    #expect(entry?.bounds?.lowerBound == at(0))
  }

  @Test func `what was outside before trips that there may not have been is known still`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied, parameters: DecisionParameters())
    func rest(_ second: Double, _ east: Double) -> [Transition] {
      var fix = fix(second, east, accuracy: 3)
      (fix.speed, fix.course) = (0, nil)
      return engine.process(fix)
    }
    for second in 0..<600 { _ = rest(Double(second), 160) }
    for second in 661..<691 { _ = rest(Double(second), second == 661 ? 110 : 102) }
    let entry = (720..<830).flatMap { rest(Double($0), 30) }.first { $0.kind == .entered }
    let bound = try #require(entry?.bounds?.lowerBound)
    #expect(bound >= at(584) && bound <= at(661))
  }

  @Test func `what was lost is known to be after another restart`() throws {
    var engine = engine(try circle(), assuming: .unsatisfied)
    for second in 0..<20 { _ = engine.process(fix(Double(second), 0)) }
    for second in 20..<25 { _ = engine.process(fix(Double(second), 100, accuracy: 30)) }
    // As from a database of before, or a damaged one.
    var next = ConditionEngine(parameters: .leaping)
    next.restore(lastFix: engine.lastFix, motion: engine.learnedMotion)
    let (condition, status) = try #require(engine[home])
    next.restore(condition, as: home, status: status)
    _ = next.process(fix(25, 100, accuracy: 30))
    for var engine in [next, try next.restarted()] {
      let exit = (300..<304).flatMap { engine.process(fix(Double($0), 400)) }.first
      #expect(try #require(exit?.bounds).lowerBound == status.visit?.began)
    }
  }

  @Test func `what confirms a change is told after a restart too`() throws {
    var first = engine(try circle(exitAfter: .seconds(300)))
    _ = first.take("iiuo", every: 60)
    _ = first.process(fix(190, 150))
    let second = try first.restarted()
    let explanation = try #require(second.explanation(of: home))
    #expect(explanation == first.explanation(of: home))
    #expect(explanation.outcome == .confirming)
    #expect(explanation.fixes == 2 && explanation.seconds == 10)
    #expect(second.isConfirming)
  }

  @Test func `nothing is kept where nothing happens`() throws {
    var engine = engine(try circle())
    for (letters, count) in [
      ("iii", 0), ("uu", 0), ("o", 1), ("u", 1), ("i", 0), ("oooo", 0), ("u", 1), ("o", 0),
      ("i", 1), ("o", 0),
    ] {
      _ = engine.take(letters, from: engine.lastFix.map { ($0.timestamp - at(-1)).inSeconds } ?? 0)
      #expect(engine.progress.count == count, "after \(letters)")
      #expect((engine[home]?.status.progress == nil) == (count == 0), "after \(letters)")
    }
    // Of a gap a column tells.
    _ = engine.take("iii", from: 100)
    _ = engine.take("u", from: 200)
    #expect(engine.progressByKey[home]?.gapBegan == at(102))
    #expect(engine[home]?.status.progress?.words == nil)
    #expect(engine[home]?.status.beginningOfDoubt == at(102))
  }

  @Test func `of a time before a condition was watched nothing is told after a restart either`()
    throws
  {
    var whole = engine(try circle())
    _ = whole.take("iiiu")
    let other = ConditionKey(monitor: monitor, identifier: "other")
    _ = whole.add(
      try circle(), as: other, assuming: .satisfied, at: at(3.5), fixTime: at(3.5))
    var second = try whole.restarted()
    let told = second.take("oooo", from: 300)
    #expect(told == whole.take("oooo", from: 300))
    #expect(told.map(\.bounds) == [at(2)...at(300), at(3)...at(300)])
  }

  /// Rows are written when the clock is set back.
  @Test func `a condition was watched before the clock was set back`() throws {
    var first = ConditionEngine(parameters: .leaping)
    _ = first.take("i", from: 5000)
    _ = first.add(
      try circle(), as: home, assuming: .satisfied, at: at(5000), fixTime: at(5000))
    _ = first.take("ii", from: 5001)
    _ = first.process(fix(100, 50, afterJump: true))
    _ = first.take("iuuu", from: 101)
    let status = try #require(first[home]?.status)
    #expect(status.watchedSince == at(100))
    var second = try first.restarted()
    #expect(second[home]?.status == status)
    let told = second.take("oooo", from: 300)
    #expect(told == first.take("oooo", from: 300))
    #expect(told.first?.bounds == at(101)...at(300))
  }

  /// Once far ahead, and set back before: what follows has nothing to do with it.
  @Test(arguments: [3700, 1e8])
  func `a clock that was set back long ago makes no bound earlier`(ahead: Double) throws {
    var engine = engine(try circle())
    _ = engine.process(fix(ahead, 400))
    _ = engine.process(fix(0, 400, afterJump: true))
    _ = engine.take("oooiii", from: 100)
    let began = try #require(engine[home]?.status.visit?.began)
    for second in 106..<150 { _ = engine.process(fix(Double(second), 100, accuracy: 30)) }
    var restarted = try engine.restarted()
    let told = engine.take("oooo", from: 300)
    #expect(told == restarted.take("oooo", from: 300))
    let lower = try #require(told.first?.bounds?.lowerBound)
    #expect(lower >= began)
  }

  @Test func `what can't be read is as good as nothing, and the bounds hold`() throws {
    var first = engine(try circle(), assuming: .satisfied)
    _ = first.take("iiuuoo")
    let (condition, status) = try #require(first[home])
    let words = try #require(status.progress?.words)
    #expect(ConditionProgress(words: words) == status.progress)
    #expect(ConditionProgress(words: []) == nil)
    #expect(ConditionProgress(words: words.dropLast()) == nil)
    #expect(ConditionProgress(words: words + [0]) == nil)
    #expect(ConditionProgress(words: [9] + words.dropFirst()) == nil)
    var second = ConditionEngine(parameters: .leaping)
    second.restore(lastFix: first.lastFix)
    second.restore(condition, as: home, status: status.stored)
    let next = second.take("ooooo", from: 300).first
    let event = try #require(next)
    #expect(event.short == "exited unsatisfied 303")
    #expect(event.bounds == at(3)...at(300))
  }

  @Test func `without the fixes of before, what they would have said isn't invented`() throws {
    var first = engine(try circle())
    _ = first.take("iiiiuu")
    let (condition, status) = try #require(first[home])
    var second = ConditionEngine(parameters: .leaping)
    second.restore(lastFix: first.lastFix, considered: ConsideredFixes(words: [1, 2, 3]))
    second.restore(condition, as: home, status: status)
    let next = second.take("oooo", from: 300).first
    // It was inside at the beginning of the visit, which is all that is known.
    #expect(next?.bounds == at(0)...at(300))
  }

  @Test func `numbers at random are read as something that can be judged, or not at all`() throws {
    var first = engine(try circle(), assuming: .unsatisfied)
    _ = first.take("wouiu")
    let (condition, status) = try #require(first[home])
    let words = try #require(status.progress?.words)
    let considered = first.considered.words(isWhole: false)
    var random = SplitMix64(seed: 5)
    func damaged(_ words: [UInt64]) -> [UInt64] {
      var words = words
      let place = Int.random(in: 0..<words.count, using: &random)
      words[place] = Bool.random(using: &random) ? .random(in: .min ... .max, using: &random) : 0
      return words
    }
    var read = 0
    for _ in 0..<3_000 {
      let progress = ConditionProgress(words: damaged(words))
      let fixes = ConsideredFixes(words: damaged(considered))
      if progress != nil || fixes != nil { read += 1 }
      var engine = ConditionEngine(parameters: .leaping)
      engine.restore(lastFix: first.lastFix, considered: fixes)
      engine.restore(
        condition, as: home,
        status: ConditionStatus(status.plain, progress: progress))
      _ = engine.take("uioiw", from: 5)
      _ = engine.advance(to: at(9000))
    }
    #expect(read > 300)
  }

  @Test func `a change isn't gone on with where the last fix can't be read`() throws {
    var first = engine(try circle(exitAfter: .seconds(60)), assuming: .satisfied)
    _ = first.take("iiooo")
    let (condition, status) = try #require(first[home])
    var second = ConditionEngine(parameters: .leaping)
    second.restore(lastFix: nil)
    second.restore(condition, as: home, status: status)
    let next = second.take("ooo", from: 5000, every: 30).first
    let event = try #require(next)
    #expect(event.short == "exited unsatisfied 5060")
    #expect(event.bounds == at(1)...at(5000))
  }
}
