import Geofencing

/// An explanation in sentences, with the fixes below.
struct ExplanationText {
  private let explanation: Explanation

  /// The condition, where it is known.
  private let condition: Condition?

  /// `MinimumSigma=` where it alone makes the condition too small; see ``Explain/Reply/minimumSigma``.
  private let minimumSigma: Double?

  init(_ explanation: Explanation, of condition: Condition? = nil, minimumSigma: Double? = nil) {
    self.explanation = explanation
    self.condition = condition
    self.minimumSigma = explanation.isAccuracyLimited ? minimumSigma : nil
  }

  // MARK: An event

  /// What an event rests on, as lines.
  static func lines(of event: Event, _ explanation: Explanation?, in zone: TimeZone) -> [String] {
    let transition = event.transition
    var lines = [happening(transition, explanation)]
    if let bounds = transition.bounds, transition.kind != .crossed {
      lines.append(
        "It happened \(bounds.text(in: zone)); nothing that was believed says when.")
    }
    guard let explanation else {
      if transition.kind != .unmonitored {
        if let distance = transition.distance, let probability = transition.probability {
          lines.append(
            "The position was \(Quantity.distance(distance)), inside with "
              + "\(Quantity.probability(probability)).")
        }
        lines.append("More wasn't kept of this one.")
      }
      return lines
    }
    let text = ExplanationText(explanation)
    if transition.kind != .undetermined, let last = text.lastJudged {
      let own = text.isElsewhere(last, than: transition.distance) ? transition.distance : nil
      lines.append("The fix that decided was \(text.position(last, byItself: own)).")
    }
    if transition.kind != .undetermined { lines.append(text.thresholds) }
    if explanation.isEarly {
      lines.append(
        "As it was moving and past the edge with at least CertainConfidence=, fewer were needed: "
          + "\(Quantity.fixes(explanation.fixes, over: explanation.seconds)) instead of "
          + "\(Quantity.fixes(explanation.fixesNeeded, over: explanation.secondsNeeded)).")
    } else if explanation.fixesNeeded > 0 {
      lines.append("It was confirmed by \(text.progress)." + text.reasonToWait)
    } else if transition.kind == .determined {
      lines.append("One sure fix is enough where nothing is known that it contradicts.")
    }
    return lines
  }

  /// What came about, in a sentence.
  private static func happening(_ transition: Transition, _ explanation: Explanation?) -> String {
    switch transition.kind {
    case .entered:
      let wasSeen = explanation?.evidence.contains { $0.verdict == .outside } ?? true
      return "It \(was(transition, wasSeen: wasSeen)) outside, and is inside now."
    case .exited:
      // Where somebody was seen to come, there is a visit.
      let wasSeen = explanation?.evidence.contains { $0.verdict == .inside } ?? false
      return "It \(was(transition, wasSeen: wasSeen || transition.visit != nil)) inside, and is "
        + "outside now."
    case .determined:
      return "Its state was unknown; it is \(place(transition.state))."
    case .crossed:
      let probability = transition.probability.map { " with \(Quantity.probability($0))" } ?? ""
      return "It passed through between two fixes that are both outside: the way from one to the "
        + "other led inside\(probability)."
    case .undetermined:
      let limit = explanation.flatMap { Duration(inSeconds: $0.unknownAfterSeconds) }
      let time = limit?.readable ?? "too long"
      let isForAltitude = explanation.map { ExplanationText($0).lacksAltitude } ?? false
      return
        (isForAltitude
        ? "No fix came for \(time) with the altitude that the condition's band of altitudes asks for"
        : "No usable fix came for \(time)")
        + ", so it isn't known any more whether it is inside or outside."
    case .unmonitored:
      return switch transition.reason {
      case .removed, nil: "The condition was removed; no position had a part in it."
      case .replaced: "Another condition was put in its place; no position had a part in it."
      case .expired: "The time of the condition was over; no position had a part in it."
      }
    }
  }

  /// How the state before is told: where no fix that is still known showed it, it may only have been assumed.
  private static func was(_ transition: Transition, wasSeen: Bool) -> String {
    switch (transition.previousState == .unknown, wasSeen) {
    case (false, true): "was"
    case (false, false): "was taken to be"
    case (true, true): "was last known to be"
    case (true, false): "was last known or assumed to be"
    }
  }

  // MARK: The present

  /// Why a condition is in its state now, as lines.
  ///
  /// - Parameter nextProbe: the seconds until a receiver that is released is looked at; nil of another.
  func linesOfPresent(
    lastFixAge: Double?, nextProbe: Double? = nil, in zone: TimeZone
  ) -> [String] {
    var lines = [reason(lastFixAge)]
    if lastFixAge == nil, explanation.state != .unknown, let time = lastJudged?.timestamp {
      lines.insert(
        "No usable fix has come since the daemon started. What follows is of the last one that was "
          + "saved before, at \(time.text(in: zone)).", at: 0)
    }
    if explanation.isAccuracyLimited, let last = lastJudged, let sigma = last.sigma {
      let cause = minimumSigma.map { "With MinimumSigma=\($0.shortest)" } ?? "At this accuracy"
      let remedy =
        minimumSigma == nil
        ? "a receiver that is more sure" : "a lower MinimumSigma= if the receiver is that good"
      lines.append(
        "\(cause) not even a position in the very centre can be believed to be inside: "
          + limits(sigma: sigma, last) + " would help, or \(remedy).")
    }
    if lastJudged == nil, let nextProbe {
      lines.append(
        "The receiver is released; the next look is in \(Quantity.fixed(nextProbe, places: 0)) s.")
    }
    if let last = explanation.evidence.last, last.rejection != nil {
      let which = lastJudged == nil ? "What came" : "What came since that fix"
      lines.append("\(which) was left out, see below.")
    }
    if let age = lastFixAge, age >= 10, explanation.state != .unknown,
      let time = Duration(inSeconds: age),
      let limit = Duration(inSeconds: explanation.unknownAfterSeconds)
    {
      lines.append(
        "The last usable fix came \(time.readable) ago; after \(limit.readable) without "
          + "one the state becomes unknown.")
    }
    if lastJudged != nil { lines.append(thresholds) }
    return lines
  }

  /// How large the condition is against the accuracy, and how large would do.
  private func limits(sigma: Double, _ fix: Explanation.Evidence) -> String {
    let confidence = explanation.confidence
    let known = "σ is \(Quantity.metres(sigma))"
    // A band that is open at one end is never too narrow.
    if let vertical = fix.verticalSigma, let width = condition?.altitude?.width {
      let isTooNarrow = width < Judgement.leastWidth(sigma: vertical, confidence: confidence)
      return "\(known), and that of the altitude \(Quantity.metres(vertical)). "
        + (isTooNarrow ? "A wider altitude band" : "A larger shape or a wider altitude band")
    }
    switch condition?.shape {
    case .polygon: return "\(known). A larger shape"
    case .corridor(let corridor):
      let least = Judgement.leastWidth(sigma: sigma, confidence: confidence).rounded(.up)
      return "the width is \(Quantity.metres(corridor.width)), \(known). "
        + "A width of \(Quantity.metres(least))"
    case .circle(let circle):
      let least = JudgeableRadius.least(
        sigma: sigma, confidence: confidence, from: circle.radius)
      return "the radius is \(Quantity.metres(circle.radius)), \(known). "
        + "A radius of \(Quantity.metres(least))"
    case nil: return "\(known). A larger radius"
    }
  }

  private func reason(_ lastFixAge: Double?) -> String {
    let own = lastJudged.flatMap(distanceByItself)
    let position = lastJudged.map { self.position($0, byItself: own) } ?? "nowhere"
    // After a start nobody knows how old the last one is.
    let isFromBefore = lastFixAge == nil && lastJudged != nil
    let isTooOld =
      explanation.state == .unknown
      && (isFromBefore || (lastFixAge ?? 0) > explanation.unknownAfterSeconds)
    switch explanation.outcome {
    case .undecided
    where !isTooOld && condition?.altitude != nil && lastJudged?.altitude == nil:
      return "Nothing happens because the last fix has no altitude, which the condition's band of "
        + "altitudes asks for: \(position)."
    case .undecided where !isTooOld:
      let change =
        explanation.candidate.map { state in
          " A change to \(Self.place(state)) is being confirmed, which such a fix doesn't "
            + "help: \(progress)."
        } ?? ""
      let isTaken = own == nil ? "is" : "is taken to be"
      let measure = minimumSigma == nil ? "its accuracy" : "MinimumSigma="
      return
        "Nothing happens because the last fix \(isTaken) too close to the edge for \(measure): "
        + "\(position).\(change)"
    case .standing where !isTooOld:
      return "Nothing happens because the receiver's speed says that it stands still, and standing "
        + "still it takes more to believe that it crossed the edge: the last fix was \(position)."
    case .contrary where !isTooOld:
      return
        "Nothing happens because the last fix itself lies on the other side of the edge than the "
        + "place where the receiver's speeds say that it is: \(position)."
    case .unproven where !isTooOld:
      return
        "Nothing happens because the last fix may be a reflection, as no speed tells of the way there: "
        + "\(position). It is believed when it has lasted for JumpSec=, or goes on."
    case .agrees:
      return "Nothing happens because the last fix agrees with the state: \(position)."
    case .confirming where !isTooOld:
      let state = explanation.candidate.map(Self.place) ?? "another state"
      return
        "The last fix was \(position), and a change to \(state) is being confirmed: \(progress)."
        + reasonToWait
    case .decided:
      return "The last fix was \(position)."
    case .noFix, .undecided, .standing, .contrary, .unproven, .confirming:
      if isTooOld, let time = lastFixAge.flatMap({ Duration(inSeconds: $0) }) {
        return "Nothing is known because no usable fix has come for \(time.readable)."
      }
      if isFromBefore {
        return
          "Nothing is known because no usable fix has come since the daemon started; 'geofenced ctl "
          + "status' says why."
      }
      return lastJudged == nil && lastFixAge == nil
        ? "Nothing happens because no usable fix has come since the daemon started; 'geofenced ctl "
          + "status' says why."
        : "Nothing happens because no usable fix has come since the condition was added or the "
          + "daemon started."
    }
  }

  // MARK: Parts

  private var lastJudged: Explanation.Evidence? {
    explanation.evidence.last { $0.verdict != nil }
  }

  /// Whether fixes came while the state was forgotten: then they lacked the altitude that a band asks
  /// for, and were as good as none.
  private var lacksAltitude: Bool {
    guard let date = explanation.date, let last = lastJudged?.timestamp else { return false }
    return (date - last).inSeconds < explanation.unknownAfterSeconds
  }

  private var progress: String {
    Quantity.fixes(explanation.fixes, of: explanation.fixesNeeded) + ", "
      + Quantity.seconds(explanation.seconds, of: explanation.secondsNeeded)
  }

  /// Why more time was asked for than the settings say.
  private var reasonToWait: String {
    explanation.isUnproven == true
      ? " No speed told of the way there, so it was waited for whether that was a reflection (JumpSec=)."
      : ""
  }

  private var thresholds: String {
    let confidence = explanation.confidence
    let always =
      "It counts as inside at a probability of \(Quantity.threshold(confidence)) or more, and as "
      + "outside when that of being on the inner side of the nearest edge is at most "
      + "\(Quantity.threshold(1 - confidence))."
    guard let atRest = explanation.confidenceAtRest, atRest > confidence else { return always }
    let isOver = explanation.outcome == .decided
    let needed =
      lastJudged?.verdict == .inside
      ? "at least \(Quantity.threshold(atRest))" : "at most \(Quantity.threshold(1 - atRest))"
    return always
      + (isOver
        ? " As it stood still, \(needed) was asked for: fixes that were less sure don't count."
        : " Standing still, \(needed) is asked for before that changes: fixes that are less sure "
          + "don't count.")
  }

  /// The signed distance of a fix by itself, where it is taken to be elsewhere.
  private func distanceByItself(_ fix: Explanation.Evidence) -> Double? {
    // With a band, the altitude has a part in the distance.
    guard let condition, condition.altitude == nil, let latitude = fix.latitude,
      let longitude = fix.longitude,
      let position = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    let own = condition.signedDistance(to: position)
    return isElsewhere(fix, than: own) ? own : nil
  }

  /// Whether a fix is taken to be elsewhere than it says by itself, by what a receiver says of its speed.
  private func isElsewhere(_ fix: Explanation.Evidence, than own: Double?) -> Bool {
    guard let own, let place = fix.distance else { return false }
    return abs(own - place) >= 1 && Quantity.distance(own) != Quantity.distance(place)
  }

  /// Where a fix was: `12 m outside ±4 m, inside with 0.3 %`.
  ///
  /// - Parameter own: its distance by itself, where that is another one.
  private func position(_ fix: Explanation.Evidence, byItself own: Double?) -> String {
    let accuracy =
      fix.horizontalAccuracy.map { " " + Quantity.accuracy($0) } ?? ", accuracy not reported"
    var place = fix.distance.map(Quantity.distance) ?? "somewhere"
    if let own {
      // How sure the fix is isn't how sure that is.
      place =
        "\(Quantity.distance(own))\(accuracy); with the speeds of those before, it was taken to be "
        + place + (fix.sigma.map { " with σ \(Quantity.metres($0))" } ?? "")
    } else {
      place += accuracy
    }
    let probability =
      fix.probability.map { probability in
        ", inside with "
          + Quantity.probability(
            probability, below: explanation.confidence, explanation.confidenceAtRest)
      } ?? ""
    let altitude =
      fix.altitude.map { altitude in
        ", altitude \(Quantity.metres(altitude))"
          + (fix.verticalSigma.map { " with σ \(Quantity.metres($0))" } ?? "")
      } ?? ""
    return place + altitude + probability
  }

  private static func place(_ state: ConditionState) -> String {
    switch state {
    case .satisfied: "inside"
    case .unsatisfied: "outside"
    case .unknown, .unmonitored: state.rawValue
    }
  }
}
