import Geofencing

extension Report {
  /// How many events a report has at most: the page has a row for each.
  package static let eventLimit = 2000

  /// Adds the next event; there may be any number of them.
  package mutating func append(_ event: ExplainedEvent) {
    events.append(event)
    if events.count >= 2 * Self.eventLimit { forgetEvents() }
  }

  /// Removes events beyond ``eventLimit``, and says so in ``remarks``.
  package mutating func finishEvents() {
    forgetEvents()
    guard untoldEvents > 0 else { return }
    remarks.append(
      "\(events.count.grouped) events are told; \(untoldEvents.grouped) others, older or of "
        + "conditions that were found to be outside, are not.")
  }

  /// Removes events: first those by which a condition is only known to be outside and that come before its others, and
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
