import BenchmarkSupport

/// What a rule says of a fence from some time on.
struct Statement: Equatable {
  /// Seconds from the beginning of the journey.
  let time: Double
  let isInside: Bool
}

extension [Statement] {
  /// Adds what a rule says, if that is anything new.
  mutating func say(_ isInside: Bool, at time: Double) {
    if last?.isInside != isInside { append(Statement(time: time, isInside: isInside)) }
  }
}

/// How well a rule did: what it said against what was true.
///
/// The truth about a fence is a list of legs, inside and outside by turns; a rule tells of them with
/// statements, inside and outside by turns as well.
///
/// - A statement has to belong to a leg of its side that no other statement belongs to: to the one
///   that is under way, to the next if that begins within ``early``, or to the one before if that
///   ended no longer than ``late`` ago. One that belongs to none is a false event. So an alarm and
///   its revocation are two, and an exit a minute before the true one is false however true it
///   becomes.
/// - A leg that gets ``depth`` metres from the line has to be told: from when it is that deep until
///   ``late`` after its end, the rule has to say its side at some time; before the next such leg.
///   Otherwise a visit is missed, or an exit.
/// - The delay of an event is the time from the crossing to the statement, if legs of that depth are
///   on both sides of it. Being early is no merit: it counts as no delay. What is never told has no
///   delay; it is missed.
///
/// All of that holds for all rules alike.
struct Score {
  /// Hours on the way.
  var hours = 0.0
  /// The same times the fences that were watched.
  var fenceHours = 0.0
  /// Events that nothing true stands for.
  var falseEvents = 0
  /// Stays deeper than ``depth``.
  var visits = 0
  /// Those that were not told of.
  var missedVisits = 0
  /// Absences further away than ``depth`` that were not told of.
  var missedExits = 0
  /// How far from the line the farthest of both got, in metres.
  var deepestMiss = 0.0
  /// Seconds from crossing the line to the event.
  var delays: [Double] = []

  /// Stays and absences that don't get this far past the line, in metres, need not be told of.
  static let depth = 10.0
  /// How much earlier than the truth an event may be, in seconds: positions are off by metres.
  static let early = 10.0
  /// How long after its end, in seconds, a stay or an absence may still be told of.
  static let late = 60.0

  /// Takes note of a journey past some fences.
  mutating func travel(seconds: Double, fences: Int) {
    hours += seconds / 3600
    fenceHours += seconds / 3600 * Double(fences)
  }

  /// Compares what a rule said about one fence with the truth.
  mutating func add(_ statements: [Statement], against legs: [Truth.Leg], seconds: Double) {
    countFalseEvents(statements, legs)
    countMisses(statements, legs, seconds)
  }

  private mutating func countFalseEvents(_ statements: [Statement], _ legs: [Truth.Leg]) {
    // The legs before this one were told of.
    var next = 0
    for (index, statement) in statements.enumerated() {
      let current = legs.lastIndex { $0.began <= statement.time } ?? 0
      if let leg = Self.leg(of: statement, current, next, legs) {
        next = leg + 1
        guard leg > 0, legs[leg].reached != nil, legs[leg - 1].reached != nil else { continue }
        delays.append(max(0, statement.time - legs[leg].began))
      } else {
        falseEvents += 1
        // What was said until now was right: to come back to it tells nothing new.
        if index > 0, legs[current].isInside != statement.isInside { next = max(next, current + 1) }
      }
    }
  }

  /// The leg that a statement tells of; nil when it is false.
  private static func leg(
    of statement: Statement, _ current: Int, _ next: Int, _ legs: [Truth.Leg]
  ) -> Int? {
    func untilBegin(_ leg: Int) -> Double? {
      guard leg < legs.count, leg >= next else { return nil }
      let seconds = legs[leg].began - statement.time
      return seconds <= early ? seconds : nil
    }
    if legs[current].isInside == statement.isInside {
      return current >= next ? current : untilBegin(current + 2).map { _ in current + 2 }
    }
    var sinceEnd: Double?
    if current > 0, current - 1 >= next, statement.time - legs[current - 1].ended <= late {
      sinceEnd = statement.time - legs[current - 1].ended
    }
    switch (sinceEnd, untilBegin(current + 1)) {
    case (nil, nil): return nil
    case (nil, _): return current + 1
    case (_, nil): return current - 1
    case (let before?, let after?): return before <= after ? current - 1 : current + 1
    }
  }

  private mutating func countMisses(
    _ statements: [Statement], _ legs: [Truth.Leg], _ seconds: Double
  ) {
    for (index, leg) in legs.enumerated() {
      guard let reached = leg.reached else { continue }
      // Stays with hardly any absence between them may be told as one.
      var last = index
      while last + 2 < legs.count, legs[last + 1].reached == nil { last += 2 }
      let ended = last + 1 < legs.count ? legs[last].ended : seconds
      var end = ended + Self.late
      if last + 2 < legs.count { end = min(end, legs[last + 2].began) }
      let isTold = Self.says(leg.isInside, statements, in: reached...end)
      // At the end of the track there may be no time left to tell of it.
      if !isTold, end > seconds, seconds - reached < Self.late { continue }
      if leg.isInside { visits += 1 }
      if isTold { continue }
      if leg.isInside {
        missedVisits += 1
      } else if statements.contains(where: { $0.isInside && $0.time < reached }) {
        missedExits += 1
      } else {
        // Where nothing was ever said to be left, there is nothing to be told.
        continue
      }
      deepestMiss = max(deepestMiss, leg.farthest)
    }
  }

  /// Whether a side is what is said at some time in a range.
  private static func says(
    _ isInside: Bool, _ statements: [Statement], in range: ClosedRange<Double>
  ) -> Bool {
    for (index, statement) in statements.enumerated() where statement.isInside == isInside {
      let end = index + 1 < statements.count ? statements[index + 1].time : .infinity
      if statement.time <= range.upperBound, end >= range.lowerBound { return true }
    }
    return false
  }

  /// Adds the figures of other journeys.
  mutating func add(_ other: Score) {
    hours += other.hours
    fenceHours += other.fenceHours
    falseEvents += other.falseEvents
    visits += other.visits
    missedVisits += other.missedVisits
    missedExits += other.missedExits
    deepestMiss = max(deepestMiss, other.deepestMiss)
    delays += other.delays
  }

  /// The delay that this share of the events doesn't exceed; nil when there were none.
  func delay(at share: Double) -> Double? { delays.quantile(share) }

  /// False events an hour on the way.
  var falseEventsPerHour: Double { hours > 0 ? Double(falseEvents) / hours : 0 }
}
