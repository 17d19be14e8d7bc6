/// Judges positions against conditions: fixes go in, transitions come out.
///
/// A plain value with no clock and no I/O: the same fixes give the same transitions, whenever and
/// wherever they are judged.
package struct ConditionEngine: Sendable {
  /// The numbers to judge by; they may change between two fixes.
  package var parameters: DecisionParameters

  /// The last fix that was judged.
  package private(set) var lastFix: Location?

  /// What is watched, by its key.
  private(set) var watches: [ConditionKey: ConditionWatch] = [:]
  private var filter = MotionFilter()
  /// Where the last fix was taken to be.
  package private(set) var lastEstimate: PositionEstimate?

  /// What was looked at last, oldest first; at most ``Explanation/evidenceLimit``.
  private var considered: [ConsideredFix] = []

  package init(parameters: DecisionParameters = DecisionParameters()) {
    self.parameters = parameters
  }

  /// How many conditions are watched.
  package var count: Int { watches.count }

  /// Which conditions are watched, in no order.
  package var keys: some Collection<ConditionKey> { watches.keys }

  /// Whether a condition is watched, and what is known of it.
  package subscript(key: ConditionKey) -> (condition: Condition, status: ConditionStatus)? {
    watches[key].map { ($0.condition, $0.status) }
  }

  /// How many conditions are watched, satisfied, and too small for the accuracy; a user's or all.
  package func counts(
    ofUser user: UInt32?
  ) -> (watched: Int, satisfied: Int, accuracyLimited: Int) {
    var counts = (watched: 0, satisfied: 0, accuracyLimited: 0)
    for watch in watches.values where user == nil || watch.key.monitor.user == user {
      counts.watched += 1
      if watch.status.state == .satisfied { counts.satisfied += 1 }
      if watch.status.isAccuracyLimited { counts.accuracyLimited += 1 }
    }
    return counts
  }

  /// The conditions that end by themselves, with the time at which they do.
  package var expiries: [(key: ConditionKey, expires: Timestamp)] {
    watches.values.compactMap { watch in watch.condition.expires.map { (watch.key, $0) } }
  }

  /// The conditions whose known state may have ended since a fix, with the time of that fix.
  ///
  /// Fixes change these without any transition, and they have to be stored with the last fix: they
  /// say how far back the bounds of the next change reach.
  package var doubts: [ConditionKey: Timestamp] {
    var doubts: [ConditionKey: Timestamp] = [:]
    for watch in watches.values where watch.status.knownState != nil {
      if let began = watch.status.doubtBegan { doubts[watch.key] = began }
    }
    return doubts
  }

  /// What adding did.
  package enum Addition: Sendable, Hashable {
    case added
    /// An equal condition was there: nothing changed, no crossing is lost.
    case unchanged
    /// Another condition was there; the event of its end, if it was satisfied.
    case replaced(Transition?)
  }

  /// Begins to watch a condition.
  ///
  /// - Parameters:
  ///   - state: what to believe until the truth is determined: unknown, satisfied or unsatisfied.
  ///   - date: the present by the system's clock, for the event of a condition that is replaced when
  ///     `fixTime` is nil.
  ///   - fixTime: the present by the clock of the fixes, if known.
  package mutating func add(
    _ condition: Condition, as key: ConditionKey, assuming state: ConditionState = .unknown,
    at date: Timestamp, fixTime: Timestamp? = nil
  ) -> Addition {
    var end: Transition?
    let old = watches[key]
    if var old {
      if old.condition == condition { return .unchanged }
      if old.status.state == .satisfied {
        end = old.end(
          .replaced, at: fixTime ?? date, visitEnds: fixTime ?? lastFix?.timestamp ?? date)
      }
    }
    var status = ConditionStatus(assuming: state, watchedSince: fixTime ?? lastFix?.timestamp)
    var prepared = PreparedCondition(condition)
    if let lastFix {
      let estimate = PositionEstimate(of: lastFix, with: parameters)
      prepared.findInnermost(for: estimate.sigma)
      let judgement = Judgement(of: estimate, against: prepared, with: parameters)
      status.isAccuracyLimited = judgement.isAccuracyLimited
    }
    watches[key] = ConditionWatch(key: key, prepared: prepared, status: status)
    return old == nil ? .added : .replaced(end)
  }

  /// Goes on with a condition as it was stored.
  package mutating func restore(
    _ condition: Condition, as key: ConditionKey, status: ConditionStatus
  ) {
    var watch = ConditionWatch(
      key: key, prepared: PreparedCondition(condition), status: status)
    if let lastFix {
      // How long ago it was added isn't known any more: silence counts from the last fix.
      watch.status.watchedSince = status.watchedSince.map { min($0, lastFix.timestamp) }
      let estimate = PositionEstimate(of: lastFix, with: parameters)
      let judgement = Judgement(of: estimate, against: watch.prepared, with: parameters)
      if judgement.verdict == .outside {
        watch.status.lastOutside = (lastFix.timestamp, estimate, judgement.distance)
      }
    }
    watches[key] = watch
  }

  /// Goes on from the last fix that was stored; before the conditions are restored.
  package mutating func restore(lastFix: Location?) {
    self.lastFix = lastFix
    lastEstimate = lastFix.map { PositionEstimate(of: $0, with: parameters) }
  }

  /// Ends the watch of a condition; nil when there is none.
  ///
  /// - Parameters:
  ///   - date: the present by the system's clock, for the event when `fixTime` is nil.
  ///   - fixTime: the present by the clock of the fixes, if known: the date of the event, like that
  ///     of all others. At nil, a visit ends with the last fix.
  package mutating func remove(
    _ key: ConditionKey, because reason: UnmonitoredReason, at date: Timestamp,
    fixTime: Timestamp? = nil
  ) -> Transition? {
    guard var watch = watches.removeValue(forKey: key) else { return nil }
    return watch.end(
      reason, at: fixTime ?? date, visitEnds: fixTime ?? lastFix?.timestamp ?? date)
  }

  /// Ends the conditions whose time is over by the system's clock.
  ///
  /// - Parameters:
  ///   - now: the present by the system's clock.
  ///   - fixTime: the present by the clock of the fixes, if known: the date of the events. At nil,
  ///     it is the time at which each condition expired.
  package mutating func expire(
    at now: Timestamp, fixTime: Timestamp? = nil
  ) -> [Transition] {
    let due = expiries.filter { $0.expires <= now }.sorted {
      ($0.expires, $0.key) < ($1.expires, $1.key)
    }
    return due.compactMap { remove($0.key, because: .expired, at: $0.expires, fixTime: fixTime) }
  }

  /// Judges a fix, which is newer than the one before unless it says otherwise.
  ///
  /// - Returns: what changed, in the order of time and then of the conditions' keys.
  package mutating func process(_ fix: Location) -> [Transition] {
    var transitions = advance(to: fix.timestamp)
    guard case .estimate(var estimate) = filter.take(fix, with: parameters) else {
      consider(ConsideredFix(RejectedFix(fix, because: RejectedFix.contradictsMotion)))
      return transitions
    }
    // Altitudes come without a speed that could be joined with them: each stands for itself.
    estimate.altitude = AltitudeEstimate(of: fix, with: parameters)
    defer { lastEstimate = estimate }
    let isLater = lastFix.map { fix.timestamp - $0.timestamp > parameters.gap } ?? false
    let isDiscontinuity = fix.followsDiscontinuity || estimate.isRestart
    let step = ConditionWatch.Step(
      fix: fix, estimate: estimate,
      offset: estimate.coordinate.distance(to: fix.coordinate), previous: lastFix,
      length: lastEstimate.map { $0.coordinate.distance(to: estimate.coordinate) } ?? 0,
      isGap: isLater || isDiscontinuity, isDiscontinuity: isDiscontinuity)
    var judged: [Transition] = []
    for index in watches.values.indices {
      if let transition = watches.values[index].process(step, with: parameters) {
        judged.append(transition)
      }
    }
    lastFix = fix
    consider(ConsideredFix(fix, estimate))
    transitions += judged.sorted { $0.key < $1.key }
    return transitions
  }

  /// Takes note of a fix that was refused before it could be judged: it explains what doesn't happen.
  package mutating func note(_ rejected: RejectedFix) {
    consider(ConsideredFix(rejected))
  }

  private mutating func consider(_ fix: ConsideredFix) { considered.remember(fix) }

  /// Why a condition is in its state, or why it was just decided upon.
  ///
  /// - Parameter transition: the decision that the last fix led to, if it is to be explained.
  /// - Returns: nil when the condition isn't watched.
  package func explanation(
    of key: ConditionKey, after transition: Transition? = nil
  ) -> Explanation? {
    watches[key]?.explanation(of: considered, after: transition, with: parameters)
  }

  /// Takes note that no usable fix came until now, by the clock of the fixes.
  ///
  /// States that were believed for too long become unknown, at the moment when that was so, however
  /// late this is called.
  package mutating func advance(to now: Timestamp) -> [Transition] {
    guard let lastFix else { return [] }
    var transitions: [Transition] = []
    for index in watches.values.indices {
      let status = watches.values[index].status
      // A fix without the altitude that is asked for is as good as none.
      let usable = status.altitudeLackedSince ?? lastFix.timestamp
      let date = max(usable, status.watchedSince ?? usable) + parameters.unknownAfter
      guard now > date else { continue }
      if let transition = watches.values[index].forget(lastFix: usable, at: date) {
        transitions.append(transition)
      }
    }
    return transitions.sorted { ($0.date, $0.key) < ($1.date, $1.key) }
  }
}
