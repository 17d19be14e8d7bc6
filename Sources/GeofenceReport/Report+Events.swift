import Geofencing

extension Report {
  /// So many events are told at most, of which the page has a row each.
  package static let eventLimit = 2000

  /// Takes the next event; there may be any number of them.
  package mutating func append(_ event: ExplainedEvent) {
    events.append(event)
    if events.count >= 2 * Self.eventLimit { forgetEvents() }
  }

  /// Forgets what is more than ``eventLimit``, and says so in ``remarks``.
  package mutating func finishEvents() {
    forgetEvents()
    guard untoldEvents > 0 else { return }
    remarks.append(
      "\(events.count.grouped) events are told; \(untoldEvents.grouped) others, older or of "
        + "conditions that were found to be outside, are not.")
  }

  /// Forgets first that conditions were found to be outside, before anything else is told of them, and
  /// then the oldest.
  private mutating func forgetEvents() {
    var surplus = events.count - Self.eventLimit
    guard surplus > 0 else { return }
    untoldEvents += surplus
    var told: Set<ConditionKey> = []
    events = events.filter { event in
      let transition = event.event.transition
      guard surplus > 0, !transition.isTelling, !told.contains(transition.key) else {
        told.insert(transition.key)
        return true
      }
      untold[transition.key] = (transition.date, transition.state)
      surplus -= 1
      return false
    }
    for transition in events.prefix(surplus).map(\.event.transition) {
      untold[transition.key] = (transition.date, transition.state)
    }
    events.removeFirst(surplus)
  }
}
