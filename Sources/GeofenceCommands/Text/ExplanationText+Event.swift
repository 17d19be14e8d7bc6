import Geofencing

/// The reasons for an event.
extension ExplanationText {
  /// The reasons for an event, as lines.
  static func lines(of event: Event, _ explanation: Explanation?, in zone: TimeZone) -> [String] {
    let transition = event.transition
    let text = explanation.map { ExplanationText($0) }
    var lines = [happening(transition, text, in: zone)]
    if let proof = text?.proof(of: transition) { lines.append(proof) }
    if let bounds = transition.bounds, transition.kind != .crossed {
      lines.append(
        "It happened \(bounds.text(in: zone)); nothing that was believed says when.")
    }
    guard let text else {
      if transition.kind != .unmonitored {
        if let distance = transition.distance, let probability = transition.probability {
          lines.append(
            "The position was \(Quantity.distance(distance)), inside with "
              + "\(Quantity.probability(probability)).")
        }
        lines.append("No more was kept about this one.")
      }
      return lines
    }
    if let ahead = text.timeAhead(of: event) {
      lines.append(
        "This machine's clock was \(ahead.readable) before that time when it was logged: it is behind the "
          + "receiver's, or that has gone ahead.")
    }
    if let (before, after) = text.setBack {
      lines.append(
        "The receiver's clock was set back: the fix after that of \(before.text(in: zone)) is of "
          + "\(after.text(in: zone)).")
    }
    guard transition.kind != .undetermined else { return lines }
    if let refused = text.refusedAtFirst(in: zone) { lines.append(refused) }
    if let last = text.lastJudged {
      let own = text.isElsewhere(last, than: transition.distance) ? transition.distance : nil
      lines.append("The fix that decided was \(text.position(last, byItself: own)).")
    }
    return lines + [text.thresholds]
  }

  /// What it took to decide on an event; nil if no fix decided.
  private func proof(of transition: Transition) -> String? {
    if explanation.isEarly {
      return
        "As it was moving and past the edge with at least CertainConfidence=, fewer were needed: "
        + "\(Quantity.fixes(explanation.fixes, over: explanation.seconds)) instead of "
        + Quantity.fixes(explanation.fixesNeeded, over: explanation.secondsNeeded)
        + (options.map { " (\($0.fixes), \($0.time))." } ?? ".")
    }
    if explanation.fixesNeeded > 0 { return "It was confirmed by \(progress)." + reasonToWait }
    return transition.kind == .determined
      ? "One sure fix is enough where nothing is known that it contradicts." : nil
  }

  /// What happened, in a sentence.
  private static func happening(
    _ transition: Transition, _ text: ExplanationText?, in zone: TimeZone
  ) -> String {
    let explanation = text?.explanation
    switch transition.kind {
    case .entered:
      let wasSeen =
        explanation.map { explanation in
          explanation.wasSeen == true || explanation.evidence.contains { $0.verdict == .outside }
        } ?? true
      return "It \(was(transition, wasSeen: wasSeen)) outside, and is inside now."
    case .exited:
      // With a fix inside, the entry before was really seen, and so there was a visit.
      let wasSeen = explanation?.evidence.contains { $0.verdict == .inside } ?? false
      return "It \(was(transition, wasSeen: wasSeen || transition.visit != nil)) inside, and is "
        + "outside now."
    case .determined:
      return "Its state was unknown; it is \(place(transition.state))."
    case .crossed:
      let probability = transition.probability.map { " with \(Quantity.probability($0))" } ?? ""
      let fixes =
        transition.bounds.map {
          "It passed through \($0.text(in: zone)). The fixes before and after are both outside"
        } ?? "It passed through between two fixes that are both outside"
      return "\(fixes): the way from one to the other led inside\(probability)."
        + (text?.tooFewInside(transition.bounds) ?? "")
    case .undetermined:
      let limit = explanation.flatMap { Duration(inSeconds: $0.unknownAfterSeconds) }
      let time = limit.map { "\($0.readable) (UnknownAfterSec=)" } ?? "too long"
      return
        (text?.lacksAltitude == true
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

  /// The sentence that some fixes were inside, but not enough for an entry; nil if none were.
  private func tooFewInside(_ bounds: ClosedRange<Timestamp>?) -> String? {
    let inside = explanation.evidence.count { fix in
      fix.verdict == .inside && fix.timestamp.map { bounds?.contains($0) ?? false } ?? false
    }
    guard inside > 0 else { return nil }
    let fixes = Quantity.count(inside, "fix between was", "fixes between were")
    let options = options(of: .satisfied).map { " (\($0.fixes), \($0.time))" } ?? ""
    return " \(fixes) inside: too few, or for too short a time, for an entry\(options)."
  }

  /// The words for the state before: if no fix that is still known showed it, it may only have been assumed.
  private static func was(_ transition: Transition, wasSeen: Bool) -> String {
    switch (transition.previousState == .unknown, wasSeen) {
    case (false, true): "was"
    case (false, false): "was taken to be"
    case (true, true): "was last known to be"
    case (true, false): "was last known or assumed to be"
    }
  }

  /// How long before its own date a state was forgotten, by this machine's clock; nil if it was later, or so much
  /// earlier that the clocks don't agree at all.
  private func timeAhead(of event: Event) -> Duration? {
    guard event.transition.kind == .undetermined, let recorded = event.recorded else { return nil }
    let ahead = event.transition.date - recorded
    let isLeap =
      ahead.inSeconds >= Quantity.clockTolerance
      && ahead.inSeconds <= explanation.unknownAfterSeconds
    return isLeap ? ahead : nil
  }

  /// The times of two fixes that were judged one after the other, but have their times in the other order; nil if there
  /// are none.
  private var setBack: (before: Timestamp, after: Timestamp)? {
    let times = explanation.evidence.compactMap { $0.verdict == nil ? nil : $0.timestamp }
    return zip(times, times.dropFirst()).first { $0 > $1 }.map { (before: $0.0, after: $0.1) }
  }

  /// Whether fixes came although the state was forgotten: then they lacked the altitude that a band asks for, and
  /// didn't count.
  private var lacksAltitude: Bool {
    guard let date = explanation.date, let last = lastJudged?.timestamp else { return false }
    return (date - last).inSeconds < explanation.unknownAfterSeconds
  }
}
