package import Geofencing

extension Report {
  /// A state, and the time for which it held.
  package struct StateSpan: Sendable, Hashable {
    package var state: ConditionState
    package var from: Timestamp
    package var to: Timestamp
  }

  /// The states of a condition over time, without gaps, since it was watched or since its first event.
  package struct StateRow: Sendable, Hashable {
    package var key: ConditionKey
    package var spans: [StateSpan]
  }

  /// The states of each condition that was watched or has an event.
  ///
  /// Those with events come first, in the order of the events.
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
    // An earlier condition of the same key has events, too. That of its end may have a later date than the
    // addition, because it goes by another clock.
    let last = added.flatMap { added in
      transitions.lastIndex { $0.date < added || $0.kind == .unmonitored }
    }
    let before = last.map { transitions[...$0] } ?? []
    if let added, before.isEmpty {
      from = min(max(from, added), span.upperBound)
    }
    if fence == nil || !before.isEmpty, let first = transitions.first, first.saysLittleOfBefore {
      // Nothing is known of the time before it was added.
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
      // The time before the removed events is left out, as the state then isn't "unknown" but just not told.
      from = min(max(from, untold.date), span.upperBound)
      state = untold.state
    }
    func follow(_ transitions: ArraySlice<Transition>) {
      for transition in transitions {
        // The state is known up to the earliest time at which it may have changed.
        if let bounds = transition.bounds, transition.kind != .crossed {
          add(state, until: bounds.lowerBound)
          add(.unknown, until: bounds.upperBound)
          // It had happened by the end of the bounds, however long it took to be confirmed.
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
  /// Whether it may be the first event of a condition, so that it doesn't tell the state before, nor whether the
  /// condition was watched then.
  package var saysLittleOfBefore: Bool { kind == .determined || kind == .unmonitored }

  /// Whether it tells more than that a condition was found to be outside, as all conditions elsewhere are.
  var isTelling: Bool { kind != .determined || state != .unsatisfied }
}
