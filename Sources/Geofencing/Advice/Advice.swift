/// What could be set differently for a condition, by what has happened to it.
///
/// It depends only on the events, the condition and the settings. Which radius could be judged is found by the same
/// rule that judges fixes (``Judgement``).
package struct Advice: Sendable, Hashable, Codable {
  /// Whether the most probable position could be believed to be inside.
  package enum Judgeable: String, Sendable, Hashable, Codable {
    /// At every accuracy that was met.
    case always
    /// At the typical accuracy, but not at the worst, or not at the present one.
    case sometimes
    /// Not even at the typical accuracy.
    case never
  }

  /// How many events were looked at.
  package var events: Int

  /// How many seconds lie between the first event and the last one, or the present fix if there is one.
  package var seconds: Double

  /// How many entries and exits there were.
  package var flips: Int

  /// How many of them there were in a day; nil if the events span less than an hour, which is too early to tell.
  package var flipsPerDay: Double?

  /// How many stays were shorter than ``ConditionHistory/briefTime``, without those of somebody travelling.
  ///
  /// Most of them are errors of the receiver.
  package var briefStays: Int

  /// How many absences were shorter than that, without those of somebody travelling.
  package var briefAbsences: Int

  /// The median of the 68 % radii in metres of the fixes that decided; nil without any.
  package var medianAccuracy: Double?

  /// The largest of these radii, in metres; nil without any.
  package var worstAccuracy: Double?

  /// The present fix's 68 % radius in metres; nil if it has none, or if there is no fix.
  package var presentAccuracy: Double?

  /// At which of these accuracies the condition can be judged.
  package var judgeable: Judgeable

  /// A better radius in metres; nil if there is none, or if the condition isn't a circle.
  package var radius: Double?

  /// A better confidence; nil if there is none.
  package var confidence: Double?

  /// A better time in seconds to wait inside before an entry; nil if there is none.
  package var enterAfter: Double?

  /// A better time in seconds to wait outside before an exit; nil if there is none.
  package var exitAfter: Double?

  /// What to do and why, for a person: a sentence or more.
  package var sentence: String

  /// Whether there is nothing to change.
  package var suggestsNothing: Bool {
    judgeable == .always && enterAfter == nil && exitAfter == nil
  }

  /// The least confidence that is ever suggested.
  static let lowestConfidence = 0.8

  /// From how many brief stays, or absences, on they are no chance.
  static let leastBriefTimes = 2

  /// Finds the advice for a condition.
  ///
  /// - Parameters:
  ///   - transitions: its newest events, oldest first.
  ///   - present: the present fix, which tells how accurate positions and altitudes are; nil if there is none.
  package init(
    for condition: Condition, after transitions: [Transition], present: Location?,
    with parameters: DecisionParameters
  ) {
    let history = ConditionHistory(of: transitions, until: present?.timestamp)
    events = history.events
    seconds = history.span.inSeconds
    flips = history.flips
    flipsPerDay = history.flipsPerDay.map { $0.rounded(toPlaces: 1) }
    briefStays = history.briefStays.count
    briefAbsences = history.briefAbsences.count
    medianAccuracy = history.medianAccuracy
    worstAccuracy = history.accuracies.last
    presentAccuracy = present?.horizontalAccuracy
    judgeable = .always
    sentence = ""
    // What can be judged depends on accuracies and on whether the altitude is known, not on position and altitude.
    var probe = Location(timestamp: .never, coordinate: .nowhere)
    if let band = condition.altitude, present?.altitude(above: band.reference) != nil {
      (probe.altitude, probe.ellipsoidalAltitude) = (0, 0)
      probe.verticalAccuracy = present?.verticalAccuracy
    }
    let rule = JudgeableRadius(of: condition, by: probe, with: parameters)
    var sentences =
      judgeBand(of: condition, by: probe, with: parameters)
      ?? judge(condition, by: probe, rule, with: parameters)
    sentences += spare(history, of: condition, by: probe, with: parameters)
    if sentences.isEmpty {
      let judged = "the \(rule == nil ? "shape" : "radius") can be judged, and "
      sentences = [
        events == 0
          ? "Nothing to change so far: \(judged)nothing has happened yet."
          : "Nothing to change: \(judged)"
            + (briefStays >= Self.leastBriefTimes || briefAbsences >= Self.leastBriefTimes
              ? "its times would have spared what looks like errors of the receiver."
              : "no stay or absence looks like an error of the receiver.")
      ]
    }
    sentence = sentences.joined(separator: " ")
  }

  /// What to say about an altitude band that can't be judged; nil if there is none, or if it can.
  ///
  /// As no radius makes up for that, nothing is said about the radius then.
  private mutating func judgeBand(
    of condition: Condition, by probe: Location, with parameters: DecisionParameters
  ) -> [String]? {
    let confidence = parameters.confidence(for: condition)
    // A fix without an altitude says nothing about a band: the probability is 1 then.
    guard condition.largestProbabilityInBand(by: probe, with: parameters) < confidence else {
      return nil
    }
    judgeable = .never
    let accuracy = probe.verticalAccuracy ?? parameters.defaultVerticalAccuracy
    let origin = probe.verticalAccuracy == nil ? "which is assumed" : "as now"
    let isFloored = condition.isTooSmall(onlyByMinimumSigmaFor: probe, with: parameters)
    return [
      "With altitudes accurate to \(length(accuracy)), \(origin), \(isFloored ? takenFor(parameters) : "")"
        + "nobody at rest can be \(share(confidence)) % sure to be in the altitude band, "
        + "even in the middle: a wider altitude band could be judged.\(isFloored ? Self.lower : "")"
    ]
  }

  /// Finds out whether the condition can be judged, and for a circle which radius could; other shapes are left to
  /// their owner.
  private mutating func judge(
    _ condition: Condition, by probe: Location, _ rule: JudgeableRadius?,
    with parameters: DecisionParameters
  ) -> [String] {
    guard let accuracy = tooPoor(for: condition, by: probe, with: parameters) else { return [] }
    let fix = probe.accurate(to: accuracy)
    let isFloored = condition.isTooSmall(onlyByMinimumSigmaFor: fix, with: parameters)
    let share = share(parameters.confidence(for: condition))
    var text = "With an accuracy of \(length(accuracy)), \(assumption)"
    if rule != nil, judgeable == .sometimes {
      let isMet = worstAccuracy.map { $0 >= accuracy } ?? false
      text += isMet ? "the worst that was met, " : "the present one, "
    }
    text += isFloored ? takenFor(parameters) : ""
    text += "nobody at rest can be \(share) % sure to be inside"
    if let rule {
      let radius = rule.radius(at: accuracy)
      self.radius = radius
      text += " \(short(rule.radius)) m, "
      text += "even in the centre: a radius of \(short(radius)) m could be judged."
      if judgeable == .never, let confidence = rule.confidence(at: accuracy) {
        self.confidence = confidence
        text += " Or keep the radius, and be content with a confidence of \(confidence)."
      }
    } else {
      text += ", even in the middle: a wider shape could be judged."
    }
    return [text + (isFloored ? Self.lower : "")]
  }

  private func takenFor(_ parameters: DecisionParameters) -> String {
    "which MinimumSigma= takes for a σ of \(length(parameters.minimumSigma)), "
  }

  private static let lower = " Or set MinimumSigma= lower, if the receiver is that good."

  /// What to say about an accuracy that is only assumed.
  private var assumption: String {
    medianAccuracy == nil && presentAccuracy == nil ? "which is assumed, " : ""
  }

  /// The accuracy in metres, met or assumed, at which the condition can't be judged; nil if it always can.
  private mutating func tooPoor(
    for condition: Condition, by probe: Location, with parameters: DecisionParameters
  ) -> Double? {
    func isJudgeable(_ accuracy: Double) -> Bool {
      condition.isJudgeable(by: probe.accurate(to: accuracy), with: parameters)
    }
    let typical = medianAccuracy ?? presentAccuracy ?? parameters.defaultAccuracy
    let worst = [typical, worstAccuracy, presentAccuracy].compactMap(\.self).max() ?? typical
    if !isJudgeable(typical) {
      judgeable = .never
      return typical
    }
    guard !isJudgeable(worst) else { return nil }
    judgeable = .sometimes
    return worst
  }

  /// Finds the times that would have spared the stays and absences that look like errors.
  private mutating func spare(
    _ history: ConditionHistory, of condition: Condition, by probe: Location,
    with parameters: DecisionParameters
  ) -> [String] {
    var sentences: [String] = []
    let brief = "shorter than \(Int(ConditionHistory.briefTime.inSeconds)) s"
    /// The seconds that would have spared the longest of these; nil if they are asked for already.
    func sparing(_ brief: [Duration], asked time: Duration) -> Double? {
      guard brief.count >= Self.leastBriefTimes, let longest = brief.max() else { return nil }
      let seconds = Self.roundedUp(longest)
      return seconds > time.inSeconds ? seconds : nil
    }
    exitAfter = sparing(
      history.briefAbsences, asked: condition.exitAfter ?? parameters.exitTime)
    if let exitAfter {
      sentences.append(
        "\(history.briefAbsences.count) absences were \(brief), at walking speed or at rest: "
          + "exitAfter \(short(exitAfter)) s would have spared them.")
    }
    enterAfter = sparing(
      history.briefStays, asked: condition.enterAfter ?? parameters.enterTime)
    if let enterAfter {
      sentences.append(
        "\(history.briefStays.count) stays were \(brief), at walking speed or at rest: "
          + "enterAfter \(short(enterAfter)) s would have spared them.")
    }
    guard !sentences.isEmpty else { return [] }
    let confidence = parameters.confidence(for: condition)
    let standard = DecisionParameters().confidence
    // The worst accuracy that was met.
    let worst = [medianAccuracy, worstAccuracy, presentAccuracy].compactMap(\.self).max()
    if confidence < standard, self.confidence == nil, judgeable == .always,
      let surer = try? Condition(
        shape: condition.shape, altitude: condition.altitude, confidence: standard),
      surer.isJudgeable(by: probe.accurate(to: worst), with: parameters)
    {
      self.confidence = standard
      sentences.append("A confidence of \(standard) instead of \(confidence) would help too.")
    }
    return sentences
  }

  /// The next multiple of ten seconds, with a margin of one second.
  private static func roundedUp(_ duration: Duration) -> Double {
    ((duration.inSeconds + 1) / 10).rounded(.up) * 10
  }
}

extension Condition {
  /// The largest probability of being in the altitude band: that of its middle; 1 without a band.
  func largestProbabilityInBand(by fix: Location, with parameters: DecisionParameters) -> Double {
    guard let altitude, let estimate = AltitudeEstimate(of: fix, with: parameters) else { return 1 }
    return altitude.largestProbability(sigma: estimate.sigma)
  }

  /// Whether a fix like this at the best position could be believed to be inside.
  fileprivate func isJudgeable(by fix: Location, with parameters: DecisionParameters) -> Bool {
    !Judgement(of: fix, against: self, with: parameters).isAccuracyLimited
  }
}

extension Location {
  /// The same fix with another accuracy.
  fileprivate func accurate(to metres: Double?) -> Location {
    var fix = self
    fix.horizontalAccuracy = metres
    return fix
  }
}

/// A probability in percent, with as many digits as a confidence may have.
private func share(_ probability: Double) -> String {
  (probability * 100).rounded(toPlaces: 2).shortest
}

/// A length in metres for a sentence: `4.2 m`, `2 cm`.
private func length(_ metres: Double) -> String {
  metres > 0 && metres < 0.1 ? "\(short(metres * 100)) cm" : "\(short(metres)) m"
}

/// A number for a sentence, with at most one digit after the point.
private func short(_ value: Double) -> String { value.rounded(toPlaces: 1).shortest }
