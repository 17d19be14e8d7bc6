/// What a condition's events in a log say about how it was judged.
struct ConditionHistory: Sendable, Hashable {
  /// A stay or an absence that is shorter than this is brief: longer ones are believed.
  static let briefTime = Duration.seconds(120)

  /// Who is faster than this, in metres per second, travels: then a brief stay is a passage.
  static let travelSpeed = 3.0

  /// How many events were looked at.
  let events: Int

  /// The time from the first of them to the present, or without a fix to the last.
  let span: Duration

  /// How many of them entered or exited.
  let flips: Int

  /// The stays that were brief, without those of somebody travelling.
  let briefStays: [Duration]

  /// The absences that were brief, without those of somebody travelling.
  let briefAbsences: [Duration]

  /// The 68 % radii in metres of the fixes that decided, smallest first.
  let accuracies: [Double]

  /// The history that some events tell, the oldest first.
  ///
  /// - Parameter now: the time of the last fix, if there was one.
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
      // What was in between isn't known.
      case .determined, .undetermined, .unmonitored: last = nil
      }
    }
    self.flips = flips
    briefStays = stays
    briefAbsences = absences
  }

  /// How often it entered or exited in a day; nil when the events span less than an hour.
  var flipsPerDay: Double? {
    let days = span.inSeconds / 86_400
    return days >= 1.0 / 24 ? Double(flips) / days : nil
  }

  /// The accuracy in metres that half of the fixes were better than; nil without any.
  var medianAccuracy: Double? {
    accuracies.isEmpty ? nil : accuracies[accuracies.count / 2]
  }

  /// From the first fix that spoke for a stay or an absence to the first that spoke against it, and with bounds as long
  /// as they allow; nil where the state before was assumed.
  ///
  /// Either is told later, by however long it took to be sure.
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
    // Of a reflection that lasts, the first half minute is refused: its exit and its entry have bounds.
    if let bounds = begin.bounds { first = min(first, bounds.lowerBound) }
    if let bounds = end.bounds { last = max(last, bounds.upperBound) }
    return last - first
  }

  /// How long a stay or an absence took, if it was brief and nobody was travelling.
  private static func briefTime(from begin: Transition, to end: Transition) -> Duration? {
    guard begin.kind != end.kind, let time = time(from: begin, to: end), time >= .zero,
      time < briefTime
    else { return nil }
    let speeds = [begin, end].compactMap(\.location?.speed)
    return speeds.contains { $0 >= travelSpeed } ? nil : time
  }
}
