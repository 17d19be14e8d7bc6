import TestSupport
import Testing

@testable import Geofencing

/// What is advised about a condition, and why.
struct AdviceTests {
  /// Entries and exits at these seconds, the first of them an entry.
  private func flips(
    _ seconds: [Double], accuracy: Double? = 5, speed: Double? = 0.2
  ) -> [Transition] {
    var kind = EventKind.entered
    var began = seconds.first.map { $0 - 1000 }
    return seconds.map { second in
      defer {
        kind = kind == .entered ? .exited : .entered
        began = second
      }
      return transition(kind, second, since: began, accuracy: accuracy, speed: speed)
    }
  }

  private func transition(
    _ kind: EventKind, _ second: Double, since began: Double? = nil, accuracy: Double? = 5,
    speed: Double? = 0.2
  ) -> Transition {
    var transition = Transition(
      key: home, kind: kind, state: kind == .entered ? .satisfied : .unsatisfied,
      previousState: .unknown, date: at(second))
    var location = fix(second, 0, accuracy: accuracy)
    location.speed = speed
    transition.location = location
    let began = kind == .entered ? second : began ?? second - 1000
    if kind == .exited { transition.duration = .seconds(second - began) }
    if kind == .entered || kind == .exited {
      transition.visit = Visit(of: home.identifier, began: at(began))
    }
    return transition
  }

  /// A present fix, of whose altitude an accuracy says that there is one.
  func present(_ accuracy: Double?, vertical: Double? = nil) -> Location {
    var present = fix(0, 0, accuracy: accuracy)
    if let vertical { (present.altitude, present.verticalAccuracy) = (60, vertical) }
    return present
  }

  private func advice(
    _ condition: Condition, _ transitions: [Transition] = [], present: Double? = 5,
    _ change: (inout DecisionParameters) -> Void = { _ in }
  ) -> Advice {
    var parameters = DecisionParameters.leaping
    parameters.accuracyFactor = 1.5
    parameters.confidence = 0.98
    parameters.minimumSigma = 3
    change(&parameters)
    return Advice(
      for: condition, after: transitions, present: present.map { fix(0, 0, accuracy: $0) },
      with: parameters)
  }

  @Test func `a condition that is well is told so`() throws {
    let fresh = advice(try circle(100))
    #expect(fresh.isNothingToChange)
    #expect(fresh.judgeable == .always)
    #expect(fresh.sentence.hasPrefix("Nothing to change so far: "))
    let used = advice(try circle(100), flips([0, 40_000, 80_000]))
    #expect(used.isNothingToChange)
    #expect(used.flips == 3)
    #expect(used.flipsPerDay == 3.2)
    #expect(used.sentence.hasPrefix("Nothing to change: "))
  }

  @Test func `a radius too small for the accuracy is told, with one that isn't`() throws {
    // Sigma is 20 / 1.51 * 1.5 = 19.9 m: the centre of 30 m holds 68 %, of 60 m 98.9 %.
    let small = advice(try circle(30), present: 20)
    #expect(small.judgeable == .never)
    let radius = try #require(small.radius)
    #expect((60...90).contains(radius))
    #expect(radius.truncatingRemainder(dividingBy: 5) == 0)
    #expect(small.confidence == nil)
    #expect(
      small.sentence
        == "With an accuracy of 20 m, nobody at rest can be 98 % sure to be inside 30 m, even in the "
        + "centre: a radius of \(Int(radius)) m could be judged.")
    let large = advice(try circle(radius), present: 20)
    #expect(large.judgeable == .always)
    #expect(large.isNothingToChange)
  }

  @Test func `a corridor too narrow for the accuracy is told, and a wide one isn't`() throws {
    let ends = [centre.moved(by: 500, bearing: 0), centre.moved(by: 500, bearing: 180)]
    func advice(_ width: Double, accuracy: Double? = 5) throws -> Advice {
      let corridor = try CorridorGeographicCondition(
        coordinates: [ends.map { Position($0) }], width: width)
      return Advice(
        for: try Condition(shape: .corridor(corridor)), after: [],
        present: accuracy.map { present($0) }, with: DecisionParameters.leaping)
    }
    let narrow = try advice(4)
    #expect(narrow.judgeable == .never)
    #expect(
      narrow.sentence == "With an accuracy of 5 m, nobody at rest can be 98 % sure to be inside, "
        + "even in the middle: a wider shape could be judged.")
    #expect(try advice(100).judgeable == .always)
    #expect(
      try advice(4, accuracy: nil).sentence.hasPrefix(
        "With an accuracy of 15 m, which is assumed, nobody at rest can be 98 % sure to be inside"))
  }

  @Test func `what MinimumSigma= alone forbids isn't blamed on the accuracy`() throws {
    let floored = advice(try circle(5), present: 0.02)
    #expect(floored.judgeable == .never && floored.radius == 10)
    #expect(
      floored.sentence
        == "With an accuracy of 2 cm, which MinimumSigma= takes for a σ of 3 m, nobody at rest can be "
        + "98 % sure to be inside 5 m, even in the centre: a radius of 10 m could be judged. Or set "
        + "MinimumSigma= lower, if the receiver is that good.")
    // The receiver isn't that good: its own σ is 2.9 m.
    let poor = advice(try circle(5), present: 2.9)
    #expect(poor.judgeable == .never && !poor.sentence.contains("MinimumSigma="))
    let ends = [centre.moved(by: 500, bearing: 0), centre.moved(by: 500, bearing: 180)]
    let corridor = try CorridorGeographicCondition(
      coordinates: [ends.map { Position($0) }], width: 4)
    #expect(
      advice(try Condition(shape: .corridor(corridor)), present: 0.5).sentence
        == "With an accuracy of 0.5 m, which MinimumSigma= takes for a σ of 3 m, nobody at rest can be "
        + "98 % sure to be inside, even in the middle: a wider shape could be judged. Or set "
        + "MinimumSigma= lower, if the receiver is that good.")
  }

  @Test func `the radius that is advised is the smallest that the engine's own rule can judge`()
    throws
  {
    for accuracy in [3.0, 8, 20, 55, 300] {
      for confidence in [0.8, 0.98, 0.9999] {
        let advised = advice(try circle(1, confidence: confidence), present: accuracy)
        #expect(advised.judgeable == .never)
        let radius = try #require(advised.radius)
        let beside = accuracy / Location.sigmasIn68Percent
        func judged(_ radius: Double) throws -> Judgement.Verdict {
          var parameters = DecisionParameters.leaping
          parameters.accuracyFactor = 1.5
          return Judgement(
            of: fix(0, max(3, beside * 1.5), accuracy: accuracy),
            against: try circle(radius, confidence: confidence), with: parameters
          ).verdict
        }
        #expect(try judged(radius) == .inside, "\(accuracy) \(confidence)")
        #expect(try judged(radius * 0.85 - 1) != .inside, "\(accuracy) \(confidence) \(radius)")
      }
    }
  }

  @Test func `a radius that is almost enough can be kept with less confidence`() throws {
    let almost = advice(try circle(54), present: 20)
    #expect(almost.judgeable == .never)
    let confidence = try #require(almost.confidence)
    #expect(confidence >= 0.8 && confidence < 0.98)
    #expect(almost.sentence.hasSuffix("be content with a confidence of \(confidence)."))
    #expect(advice(try circle(54, confidence: confidence), present: 20).judgeable == .always)
  }

  @Test func `what was met at the events counts, and its worst is told apart`() throws {
    let transitions =
      flips([0, 10_000, 20_000], accuracy: 5) + [transition(.exited, 30_000, accuracy: 60)]
    let mixed = advice(try circle(60), transitions, present: nil)
    #expect(mixed.medianAccuracy == 5)
    #expect(mixed.worstAccuracy == 60)
    #expect(mixed.presentAccuracy == nil)
    #expect(mixed.judgeable == .sometimes)
    #expect(mixed.sentence.hasPrefix("With an accuracy of 60 m, the worst that was met, "))
    #expect(try #require(mixed.radius) > 150)
    let good = advice(try circle(60), flips([0, 10_000], accuracy: 5), present: 4)
    #expect(good.judgeable == .always)
    #expect(
      advice(try circle(60), flips([0, 10_000], accuracy: 5), present: 60).judgeable == .sometimes)
  }

  @Test func `without any accuracy the default is assumed`() throws {
    let assumed = advice(try circle(20), flips([0, 10_000], accuracy: nil), present: nil) {
      $0.defaultAccuracy = 40
    }
    #expect(assumed.medianAccuracy == nil)
    #expect(assumed.judgeable == .never)
    #expect(assumed.sentence.hasPrefix("With an accuracy of 40 m, which is assumed, nobody"))
  }

  @Test func `flapping is told with the time that would have spared it`() throws {
    // Home for hours, with three false absences of up to 37 s.
    let flapping = flips([0, 10_000, 10_012, 20_000, 20_037, 30_000, 30_009, 80_000])
    let told = advice(try circle(100), flapping)
    #expect(told.briefAbsences == 3)
    #expect(told.briefStays == 0)
    #expect(told.exitAfter == 40)
    #expect(told.enterAfter == nil)
    #expect(told.confidence == nil)
    #expect(
      told.sentence
        == "3 absences were shorter than 120 s, at walking speed or at rest: exitAfter 40 s would "
        + "have spared them.")
    // The same outside: parked beside the circle.
    let outside = advice(
      try circle(100), flips([0, 9, 5000, 5030, 9000, 9005]))
    #expect(outside.briefStays == 3)
    #expect(outside.enterAfter == 40)
    #expect(outside.exitAfter == nil)
  }

  /// The advice is true: with the time that is advised, the same fixes give no false exit.
  @Test(arguments: [0, 50])
  func `the time that is advised spares the flapping it was made from`(undecided: Int) throws {
    var letters = String(repeating: "i", count: 200)
    for absence in [9, 30, 21] {
      // What can't be told in between counts too.
      letters += "o" + String(repeating: "u", count: undecided)
      letters += String(repeating: "o", count: absence) + String(repeating: "i", count: 300)
    }
    var careless = engine(try circle(100))
    let flapping = careless.take(letters)
    #expect(
      flapping.map(\.kind) == [.determined] + [
        .exited, .entered, .exited, .entered, .exited, .entered,
      ])
    let told = advice(try circle(100), flapping)
    // The fixes of these tests have no speed, which is no travel.
    let seconds = try #require(told.exitAfter)
    var careful = engine(try circle(100, exitAfter: .seconds(seconds)))
    #expect(careful.take(letters).map(\.kind) == [.determined])
  }

  @Test func `driving through is no flapping, and one brief absence is chance`() throws {
    let through = advice(
      try circle(100), flips([0, 14, 4000, 4015, 9000, 9013], speed: 14))
    #expect(through.briefStays == 0)
    #expect(through.isNothingToChange)
    let once = advice(try circle(100), flips([0, 10_000, 10_020, 50_000]))
    #expect(once.briefAbsences == 1)
    #expect(once.isNothingToChange)
  }

  @Test func `a confidence below the default is raised against flapping`() throws {
    let flapping = flips([0, 10_000, 10_012, 20_000, 20_037, 80_000])
    let told = advice(try circle(100, confidence: 0.6), flapping)
    #expect(told.confidence == DecisionParameters.leaping.confidence)
    #expect(told.sentence.hasSuffix(" instead of 0.6 would help too."))
  }

  @Test func `a confidence with which nobody could be inside isn't advised`() throws {
    let flapping = flips([0, 10_000, 10_012, 20_000, 20_037, 80_000])
    let told = advice(try circle(10, confidence: 0.8), flapping)
    #expect(told.judgeable == .always && told.exitAfter == 40)
    #expect(told.confidence == nil && !told.sentence.contains("would help too"))
    #expect(advice(try circle(10, confidence: 0.98), flapping).judgeable == .never)
  }

  @Test func `how often a day is told of all the time until now`() {
    let events = flips([0, 7200])
    #expect(ConditionHistory(of: events).flipsPerDay == 24)
    #expect(ConditionHistory(of: events, until: at(8 * 86_400)).flipsPerDay == 0.25)
    // A receiver whose clock was set back.
    #expect(ConditionHistory(of: events, until: at(-1)).flipsPerDay == 24)
  }

  @Test func `what isn't known isn't counted as a stay or an absence`() throws {
    let unknown = [
      transition(.entered, 0), transition(.undetermined, 20), transition(.exited, 40),
      transition(.determined, 50), transition(.exited, 60), transition(.crossed, 65),
      transition(.entered, 70),
    ]
    let history = ConditionHistory(of: unknown)
    #expect(history.flips == 4)
    #expect(history.briefStays == [])
    #expect(history.briefAbsences == [.seconds(10)])
    #expect(history.flipsPerDay == nil)
    var bounded = flips([0, 20])
    bounded[1].bounds = at(1)...at(20)
    bounded[0].bounds = at(-5)...at(0)
    #expect(ConditionHistory(of: bounded).briefStays == [.seconds(25)])
    // It may have come hours before that was seen.
    bounded = flips([0, 20])
    bounded[0].bounds = at(-9000)...at(0)
    #expect(ConditionHistory(of: bounded).briefStays == [])
    // A receiver that set its clock back.
    #expect(ConditionHistory(of: flips([100, 20])).span == .zero)
  }
}

extension Advice {
  /// Whether the condition is well as it is.
  var isNothingToChange: Bool {
    radius == nil && confidence == nil && enterAfter == nil && exitAfter == nil
  }
}
