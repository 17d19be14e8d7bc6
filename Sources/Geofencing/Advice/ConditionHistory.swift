/// What a condition's logged events say about how it was judged.
struct ConditionHistory: Sendable, Hashable {
  /// A stay or an absence that is shorter is brief; longer ones are believed.
  static let briefTime = Duration.seconds(120)

  /// From this speed on, in metres per second, somebody travels, and a brief stay is a passage.
  static let travelSpeed = 3.0

  /// How many events were looked at.
  let events: Int

  /// The time from the first event to the present fix, or to the last event without one.
  let span: Duration

  /// How many of them were entries or exits.
  let flips: Int

  /// The lengths of the brief stays, without those of somebody travelling.
  let briefStays: [Duration]

  /// The lengths of the brief absences, without those of somebody travelling.
  let briefAbsences: [Duration]

  /// The 68 % radii in metres of the fixes that decided, smallest first.
  let accuracies: [Double]

  /// Finds the history in some events, oldest first.
  ///
  /// - Parameter now: the time of the present fix; nil if there is none.
  init(of transitions: [Transition], until now: Timestamp? = nil) {
    events = transitions.count
    span =
      transitions.first.flatMap { first in
        transitions.last.map { max(.zero, max($0.date, now ?? $0.date) - first.date) }
      } ?? .zero
    accuracies = transitions.compactMap(\.location?.horizontalAccuracy)
      .filter { $0.isFinite && $0 > 0 }.sorted()
    var flips = 0
    var (stays, absences): ([Duration], [Duration]) = ([], [])
    var last: Transition?
    for transition in transitions {
      switch transition.kind {
      case .entered, .exited:
        flips += 1
        if let last, let time = Self.briefTime(from: last, to: transition) {
          if transition.kind == .exited { stays.append(time) } else { absences.append(time) }
        }
        last = transition
      case .crossed: break
      // What happened between such an event and the next isn't known.
      case .determined, .undetermined, .unmonitored: last = nil
      }
    }
    self.flips = flips
    briefStays = stays
    briefAbsences = absences
  }

  /// How many entries and exits there were in a day; nil if the events span less than an hour.
  var flipsPerDay: Double? {
    let days = span.inSeconds / 86_400
    return days >= 1.0 / 24 ? Double(flips) / days : nil
  }

  /// The accuracy in metres that half of the fixes that decided reach; nil without any.
  var medianAccuracy: Double? {
    accuracies.isEmpty ? nil : accuracies[accuracies.count / 2]
  }

  /// The length of the stay or absence between two events; nil if the state before was assumed.
  ///
  /// It lasts from the first fix that spoke for it to the first that spoke against it, while the events come later, by
  /// the time that it took to be sure. If the events have bounds, it is the longest time that they allow.
  private static func time(from begin: Transition, to end: Transition) -> Duration? {
    var (first, last): (Timestamp, Timestamp)
    if end.kind == .exited {
      guard let came = end.visit?.began, let stay = end.duration else { return nil }
      (first, last) = (came, came + stay)
    } else {
      guard let came = begin.visit?.began, let stay = begin.duration, let back = end.visit?.began
      else { return nil }
      (first, last) = (came + stay, back)
    }
    // A lasting reflection is refused for half a minute at first, so its exit and its entry have bounds.
    if let bounds = begin.bounds { first = min(first, bounds.lowerBound) }
    if let bounds = end.bounds { last = max(last, bounds.upperBound) }
    return last - first
  }

  /// The length of a stay or an absence; nil if it wasn't brief, or if somebody was travelling.
  private static func briefTime(from begin: Transition, to end: Transition) -> Duration? {
    guard begin.kind != end.kind, let time = time(from: begin, to: end), time >= .zero,
      time < briefTime
    else { return nil }
    let speeds = [begin, end].compactMap(\.location?.speed)
    return speeds.contains { $0 >= travelSpeed } ? nil : time
  }
}
