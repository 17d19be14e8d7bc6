import BenchmarkSupport

/// A statement of a rule about a fence, which holds until the next one.
struct Statement: Equatable {
  /// Seconds from the beginning of the journey.
  let time: Double
  let isInside: Bool
}

extension [Statement] {
  /// Adds a statement, unless it says the same as the last one.
  mutating func say(_ isInside: Bool, at time: Double) {
    if last?.isInside != isInside { append(Statement(time: time, isInside: isInside)) }
  }
}

/// How well a rule did: its statements compared with the truth.
///
/// The truth about a fence is a list of legs, alternately inside and outside. The rule's statements are alternately
/// inside and outside, too.
///
/// - Each statement has to belong to a leg of its own side, and no two statements to the same leg. This may be the
///   leg under way, the next one if it begins within ``early``, or the one before if it ended no longer than ``late``
///   ago. A statement that belongs to no leg is a false event. So a false alarm and its revocation are two false
///   events, and an exit a minute before the true one is false although it becomes true later.
/// - A leg that gets ``depth`` metres away from the line has to be told: from the time when it is that deep until
///   ``late`` after its end, but before the next such leg, the rule has to state its side at some time. Otherwise the
///   visit or the exit is missed.
/// - The delay of an event is the time from the crossing to the statement, if the legs on both sides of it are that
///   deep. Being early is no merit: it counts as no delay. A leg that is never told has no delay; it is missed.
///
/// All rules are judged in this way.
struct Score {
  /// Hours of journeys.
  var hours = 0.0
  /// Hours of journeys, multiplied by the number of watched fences.
  var fenceHours = 0.0
  /// Events to which nothing true corresponds.
  var falseEvents = 0
  /// The number of stays deeper than ``depth``.
  var visits = 0
  /// The number of these that weren't told.
  var missedVisits = 0
  /// The number of absences further away than ``depth`` that weren't told.
  var missedExits = 0
  /// The largest distance from the line of a missed stay or absence, in metres.
  var deepestMiss = 0.0
  /// The seconds from crossing the line to the event, for each event.
  var delays: [Double] = []

  /// The distance beyond the line, in metres, up to which stays and absences needn't be told.
  static let depth = 10.0
  /// How much earlier than the truth an event may be, in seconds: positions are off by metres.
  static let early = 10.0
  /// How many seconds after its end a stay or an absence may still be told.
  static let late = 60.0

  /// Counts a journey past some fences.
  mutating func travel(seconds: Double, fences: Int) {
    hours += seconds / 3600
    fenceHours += seconds / 3600 * Double(fences)
  }

  /// Compares the statements of a rule about one fence with the truth.
  mutating func add(_ statements: [Statement], against legs: [Truth.Leg], seconds: Double) {
    countFalseEvents(statements, legs)
    countMisses(statements, legs, seconds)
  }

  private mutating func countFalseEvents(_ statements: [Statement], _ legs: [Truth.Leg]) {
    // The first leg that wasn't told yet.
    var next = 0
    for (index, statement) in statements.enumerated() {
      let current = legs.lastIndex { $0.began <= statement.time } ?? 0
      if let leg = Self.leg(of: statement, current, next, legs) {
        next = leg + 1
        guard leg > 0, legs[leg].reached != nil, legs[leg - 1].reached != nil else { continue }
        delays.append(max(0, statement.time - legs[leg].began))
      } else {
        falseEvents += 1
        // The earlier statement was right: returning to it tells nothing new.
        if index > 0, legs[current].isInside != statement.isInside { next = max(next, current + 1) }
      }
    }
  }

  /// The leg that a statement tells; nil if the statement is false.
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
      // At the end of the journey there may be no time left to tell it.
      if !isTold, end > seconds, seconds - reached < Self.late { continue }
      if leg.isInside { visits += 1 }
      if isTold { continue }
      if leg.isInside {
        missedVisits += 1
      } else if statements.contains(where: { $0.isInside && $0.time < reached }) {
        missedExits += 1
      } else {
        // If the rule never stated that something was inside, there is no exit to tell.
        continue
      }
      deepestMiss = max(deepestMiss, leg.farthest)
    }
  }

  /// Whether a side is stated at some time in a range.
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

  /// The delay that a share of the events doesn't exceed; nil if there are no delays.
  func delay(at share: Double) -> Double? { delays.quantile(share) }

  /// False events per hour of journeys.
  var falseEventsPerHour: Double { hours > 0 ? Double(falseEvents) / hours : 0 }
}
