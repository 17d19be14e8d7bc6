/// How well a rule did: what it said against what was true.
struct Score {
  /// Hours of driving, parking and so on, times fences.
  var hours = 0.0
  /// Events that nothing true stands for.
  var falseEvents = 0
  /// Stays deeper than ``depth`` that were not told of.
  var missedVisits = 0
  /// Stays deeper than ``depth``.
  var visits = 0
  /// Seconds from crossing the line to the event.
  var delays: [Double] = []

  /// Stays and absences that don't get this far past the line need not be told of.
  static let depth = 10.0
  /// How much earlier than the truth an event may be, in seconds, for errors of the position.
  static let early = 10.0
  /// How much later, in seconds, an event may be that belongs to a stay that is over.
  static let late = 60.0

  /// From when to when a rule said inside.
  struct Claim {
    var began: Double
    var ended: Double?
  }

  /// Compares what a rule said about one fence with the truth.
  mutating func add(_ claims: [Claim], against visits: [Truth.Visit], seconds: Double) {
    hours += seconds / 3600
    // Each stay can be told of once; each claim can stand for several stays with hardly any absence.
    var told = Array(repeating: false, count: visits.count)
    for claim in claims {
      let end = claim.ended ?? seconds
      let range = visits.indices.filter {
        visits[$0].began - Self.early <= end && claim.began <= visits[$0].ended + Self.late
      }
      let overlapping = range.filter { visits[$0].began <= end && claim.began <= visits[$0].ended }
      // A stay that is over, or about to begin: the first that wasn't told of.
      let near = range.first { !told[$0] }
      let matched = overlapping.isEmpty ? near.map { [$0] } ?? [] : overlapping
      guard let first = matched.first(where: { !told[$0] }) else {
        // Nothing true, or a stay that was told of before: the event in, and the event out.
        falseEvents += claim.ended == nil ? 1 : 2
        continue
      }
      for index in matched { told[index] = true }
      let last = matched.last ?? first
      for index in matched.dropFirst() where visits[index].depth >= Self.depth {
        // The absence before it wasn't told of.
        if visits[index].clearanceBefore >= Self.depth { missedVisits += 1 }
      }
      if visits[first].depth >= Self.depth, !visits[first].beganBefore {
        delays.append(max(0, claim.began - visits[first].began))
      }
      if let ended = claim.ended, !visits[last].endsAfter,
        visits[last].clearanceAfter >= Self.depth, visits[last].depth >= Self.depth
      {
        delays.append(max(0, ended - visits[last].ended))
      }
      if claim.ended == nil, !visits[last].endsAfter, visits[last].clearanceAfter >= Self.depth,
        seconds - visits[last].ended > Self.late
      {
        // The way out wasn't told of.
        missedVisits += 1
      }
    }
    for index in visits.indices where visits[index].depth >= Self.depth {
      self.visits += 1
      if !told[index] { missedVisits += 1 }
    }
  }

  mutating func add(_ other: Score) {
    hours += other.hours
    falseEvents += other.falseEvents
    missedVisits += other.missedVisits
    visits += other.visits
    delays += other.delays
  }

  /// The delay that this share of the events doesn't exceed.
  func delay(at share: Double) -> Double? {
    guard !delays.isEmpty else { return nil }
    let sorted = delays.sorted()
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }
}
