import Geofencing

/// An explanation in sentences; ``EvidenceText`` has the fixes.
struct ExplanationText {
  let explanation: Explanation

  /// The condition, if it is known.
  private let condition: Condition?

  /// `MinimumSigma=` if it alone makes the condition too small; see ``Explain/Reply/minimumSigma``.
  private let minimumSigma: Double?

  /// Whether it is of a recording that is replayed, and not of the daemon.
  private let isRecorded: Bool

  init(
    _ explanation: Explanation, of condition: Condition? = nil, minimumSigma: Double? = nil,
    isRecorded: Bool = false
  ) {
    self.explanation = explanation
    self.isRecorded = isRecorded
    self.condition = condition
    self.minimumSigma = explanation.isAccuracyLimited ? minimumSigma : nil
  }

  // MARK: The present

  /// Why a condition is in its state now, as lines.
  ///
  /// - Parameter nextProbe: the seconds until a released receiver is looked at; nil if it isn't released.
  func linesOfPresent(
    lastFixAge: Double?, nextProbe: Double? = nil, in zone: TimeZone
  ) -> [String] {
    var lines = [reason(lastFixAge)]
    if lastFixAge == nil, explanation.state != .unknown, let time = lastJudged?.timestamp {
      lines.insert(
        "No usable fix has come since the daemon started. What follows is of the last one that was "
          + "saved before, at \(time.text(in: zone)).", at: 0)
    }
    if let leftOut = leftOut(in: zone) { lines.insert(leftOut, at: 0) }
    if explanation.isAccuracyLimited, let last = lastJudged, let sigma = last.sigma {
      let cause = minimumSigma.map { "With MinimumSigma=\($0.shortest)" } ?? "At this accuracy"
      let remedy =
        minimumSigma == nil
        ? "a receiver that is more sure" : "a lower MinimumSigma= if the receiver is that good"
      lines.append(
        "\(cause) not even a position in the very centre can be believed to be inside: "
          + limits(sigma: sigma, last) + " would help, or \(remedy).")
    }
    if let nextProbe {
      lines.append(
        "The receiver is released; the next look is in \(Quantity.fixed(nextProbe, places: 0)) s.")
    }
    if let age = lastFixAge, age >= 10, explanation.state != .unknown,
      let time = Duration(inSeconds: age),
      let limit = Duration(inSeconds: explanation.unknownAfterSeconds)
    {
      lines.append(
        "The last usable fix came \(time.readable) ago; after \(limit.readable) without "
          + "one (UnknownAfterSec=) the state becomes unknown.")
    }
    if lastJudged != nil { lines.append(thresholds) }
    return lines
  }

  /// How large the condition is compared with the accuracy, and how large it should be.
  private func limits(sigma: Double, _ fix: Explanation.Evidence) -> String {
    let confidence = explanation.confidence
    let known = "σ is \(Quantity.metres(sigma))"
    // A band that is open at one end has no width, and is never too narrow.
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
    // After a restart it isn't known how old the last fix is.
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
          let place = Self.place(state)
          return explanation.isConfirmed
            ? " By the present settings a change to \(place) is confirmed, and the next fix that is surely "
              + "\(place) decides: \(progress)."
            : " A change to \(place) is being confirmed, which such a fix doesn't help: \(progress)."
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
        + "place where the receiver's speeds say that it is: \(position). If that place is wrong, those "
        + "speeds are: look for static hold or a low-speed filter in the receiver's settings."
    case .unproven where !isTooOld:
      return
        "Nothing happens because the last fix may be a reflection, as no speed tells of the way there: "
        + "\(position). It is believed when it has lasted for JumpSec=, or goes on."
    case .agrees:
      return "Nothing happens because the last fix agrees with the state: \(position)."
    case .confirming where !isTooOld:
      let state = explanation.candidate.map(Self.place) ?? "another state"
      let change =
        explanation.isConfirmed
        ? "by the present settings a change to \(state) is confirmed; the next fix decides"
        : "a change to \(state) is being confirmed"
      return "The last fix was \(position), and \(change): \(progress)." + reasonToWait
    case .decided:
      return "The last fix was \(position)."
    case .noFix, .undecided, .standing, .contrary, .unproven, .confirming:
      if isTooOld, let time = lastFixAge.flatMap({ Duration(inSeconds: $0) }) {
        return "Nothing is known because no usable fix has come for \(time.readable)."
      }
      if let verdict = lastJudged?.verdict, !isTooOld {
        // The settings have changed since then, or the condition was added later.
        return "By the present settings the last fix would count as \(verdict.rawValue): "
          + "\(position). The next fixes decide."
      }
      if isFromBefore {
        return
          "Nothing is known because no usable fix has come since the daemon started; 'geofenced ctl "
          + "status' says why."
      }
      if isRecorded { return "Nothing happens because no usable fix has come." }
      return lastJudged == nil && lastFixAge == nil
        ? "Nothing happens because no usable fix has come since the daemon started; 'geofenced ctl "
          + "status' says why."
        : "Nothing happens because no usable fix has come since the condition was added or the "
          + "daemon started."
    }
  }

  // MARK: Parts

  var lastJudged: Explanation.Evidence? {
    explanation.evidence.last { $0.verdict != nil }
  }

  var progress: String {
    Quantity.fixes(explanation.fixes, of: explanation.fixesNeeded)
      + (options.map { " (\($0.fixes))" } ?? "") + ", "
      + Quantity.seconds(explanation.seconds, of: explanation.secondsNeeded)
      + (options.map { " (\($0.time))" } ?? "")
  }

  /// The settings that say how many fixes a change takes, and over what time; nil if it takes more than they say, or if
  /// that wasn't stored.
  var options: (fixes: String, time: String)? {
    guard explanation.isUnproven != true else { return nil }
    return options(of: explanation.candidate ?? explanation.state)
  }

  /// The settings that say that for a change to a state.
  func options(of state: ConditionState) -> (fixes: String, time: String)? {
    guard let isOwn = explanation.hasOwnTime else { return nil }
    return state == .satisfied
      ? ("EnterFixes=", isOwn ? "the condition's enterAfter" : "EnterSec=")
      : ("ExitFixes=", isOwn ? "the condition's exitAfter" : "ExitSec=")
  }

  /// Why more time was needed than the settings say.
  var reasonToWait: String {
    guard explanation.isUnproven == true else { return "" }
    let waits = explanation.outcome == .decided ? "waited" : "waits"
    return " No speed told of the way there, so it \(waits) to see whether that was a reflection "
      + "(JumpSec=)."
  }

  var thresholds: String {
    let confidence = explanation.confidence
    let option =
      explanation.hasOwnConfidence.map {
        $0 ? " (the condition's confidence)" : " (Confidence=)"
      } ?? ""
    let always =
      "It counts as inside at a probability of \(Quantity.threshold(confidence)) or more"
      + "\(option), and as outside when that of being on the inner side of the nearest edge is at most "
      + "\(Quantity.threshold(1 - confidence))."
    guard let atRest = explanation.confidenceAtRest, atRest > confidence else { return always }
    let isOver = explanation.outcome == .decided
    let needed =
      lastJudged?.verdict == .inside
      ? "at least \(Quantity.threshold(atRest))" : "at most \(Quantity.threshold(1 - atRest))"
    return always
      + (isOver
        ? " As it stood still, \(needed) was asked for (StillConfidence=): fixes that were less "
          + "sure don't count."
        : " Standing still, \(needed) is asked for before that changes (StillConfidence=): fixes "
          + "that are less sure don't count.")
  }

  /// The signed distance in metres of a fix by its own position; nil if that isn't known.
  private func distanceByItself(_ fix: Explanation.Evidence) -> Double? {
    // With an altitude band, the distance depends on the altitude, too.
    guard let condition, condition.altitude == nil, let position = fix.coordinate else {
      return nil
    }
    let own = condition.signedDistance(to: position)
    return isElsewhere(fix, than: own) ? own : nil
  }

  /// Whether a fix was judged at another position than its own, by the receiver's speed.
  func isElsewhere(_ fix: Explanation.Evidence, than own: Double?) -> Bool {
    guard let own, let place = fix.distance else { return false }
    return abs(own - place) >= 1 && Quantity.distance(own) != Quantity.distance(place)
  }

  /// The place of a fix: `12 m outside ±4 m, inside with 0.3 %`.
  ///
  /// - Parameter own: the distance by its own position, if it was judged at another one.
  func position(_ fix: Explanation.Evidence, byItself own: Double?) -> String {
    var accuracy =
      fix.horizontalAccuracy.map { " " + Quantity.accuracy($0) } ?? ", accuracy not reported"
    // The distance to an end of the band doesn't depend on the accuracy of the position.
    if let altitude = fix.altitudeText {
      accuracy = fix.horizontalAccuracy.map { "position \(Quantity.accuracy($0)), " } ?? ""
      accuracy = " (\(accuracy)altitude \(altitude))"
    }
    var place = fix.distance.map(Quantity.distance) ?? "somewhere"
    if let own {
      // The accuracy of the fix isn't that of this distance.
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
    return place + probability
  }

  static func place(_ state: ConditionState) -> String {
    switch state {
    case .satisfied: "inside"
    case .unsatisfied: "outside"
    case .unknown, .unmonitored: state.rawValue
    }
  }
}
