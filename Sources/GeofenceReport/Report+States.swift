package import Geofencing

extension Report {
  /// A state, and from when to when it held.
  package struct StateSpan: Sendable, Hashable {
    package var state: ConditionState
    package var from: Timestamp
    package var to: Timestamp
  }

  /// The states of a condition over time, without gaps from when it was watched first, or is
  /// told of.
  package struct StateRow: Sendable, Hashable {
    package var key: ConditionKey
    package var spans: [StateSpan]
  }

  /// The states of each condition that was watched or has an event; those that something happened
  /// to come first, in that order.
  package var stateRows: [StateRow] {
    guard let span else { return fences.map { StateRow(key: $0.key, spans: []) } }
    var transitions: [ConditionKey: [Transition]] = [:]
    var order: [ConditionKey] = []
    for transition in events.map(\.event.transition) {
      transitions[transition.key, default: []].append(transition)
      if transition.isTelling { order.append(transition.key) }
    }
    let known = Dictionary(fences.map { ($0.key, $0) }) { first, _ in first }
    var seen: Set<ConditionKey> = []
    return (order + fences.map(\.key) + transitions.keys.sorted())
      .filter { seen.insert($0).inserted }
      .map { key in
        let spans = Self.spans(
          transitions[key] ?? [], after: untold[key], of: known[key],
          watchedSince: watchedSince[key], within: span)
        return StateRow(key: key, spans: spans)
      }
  }

  private static func spans(
    _ transitions: [Transition], after untold: (date: Timestamp, state: ConditionState)?,
    of fence: Fence?, watchedSince: Timestamp?, within span: ClosedRange<Timestamp>
  ) -> [StateSpan] {
    var spans: [StateSpan] = []
    var from = span.lowerBound
    let added = fence?.added
    // A condition that was there before has events too. That of its end may have a later date: it goes by
    // another clock than what is added.
    let last = added.flatMap { added in
      transitions.lastIndex { $0.date < added || $0.kind == .unmonitored }
    }
    let before = last.map { transitions[...$0] } ?? []
    if let added, before.isEmpty {
      from = min(max(from, added), span.upperBound)
    }
    if fence == nil || !before.isEmpty, let first = transitions.first, first.saysLittleOfBefore {
      // Nothing is told of the time before it was added, which nobody knows any more.
      let since = watchedSince ?? first.visit?.began ?? first.date
      from = min(max(from, since), span.upperBound)
    }
    var state = transitions.first?.previousState ?? fence?.state ?? .unknown
    func add(_ state: ConditionState, until end: Timestamp) {
      let end = min(max(end, from), span.upperBound)
      guard end > from else { return }
      if let last = spans.last, last.state == state {
        spans[spans.endIndex - 1].to = end
      } else {
        spans.append(StateSpan(state: state, from: from, to: end))
      }
      from = end
    }
    if let untold, added.map({ untold.date >= $0 }) ?? true {
      // What it was before isn't told, which isn't the same as unknown.
      from = min(max(from, untold.date), span.upperBound)
      state = untold.state
    }
    func follow(_ transitions: ArraySlice<Transition>) {
      for transition in transitions {
        // The state is known up to the earliest time at which it may have changed.
        if let bounds = transition.bounds, transition.kind != .crossed {
          add(state, until: bounds.lowerBound)
          add(.unknown, until: bounds.upperBound)
          // However long it took to be confirmed, it had happened by then.
          state = transition.state
        }
        add(state, until: transition.date)
        state = transition.state
      }
    }
    let own = transitions[before.endIndex...]
    if let added, !before.isEmpty {
      follow(before)
      add(state, until: added)
      state = own.first?.previousState ?? fence?.state ?? .unknown
    }
    follow(own)
    add(state, until: span.upperBound)
    return spans
  }
}

extension Transition {
  /// Whether it may be the first one of a condition: what that was before isn't known by it then, nor whether it
  /// was watched.
  package var saysLittleOfBefore: Bool { kind == .determined || kind == .unmonitored }

  /// Whether it is more than that something was found to be outside, as all is that is elsewhere.
  var isTelling: Bool { kind != .determined || state != .unsatisfied }
}
