/// The fixes that were judged last, and some of those before.
package struct JudgedFixes: Sendable {
  /// The last ones; a new one takes the place of the one that is as many older.
  private var fixes = Column<JudgedFix>()

  /// How many were ever judged.
  private(set) var total = 0

  /// Of all those before, one in as many as are remembered, oldest first; the older, the fewer.
  private(set) var thinned: [JudgedFix] = []

  /// How many come before the next one of those.
  private(set) var untilThinned = 0

  /// Of the last minute those that are some seconds apart, oldest first, and as many before.
  private(set) var spaced: [JudgedFix] = []

  /// When the last of them was, and from when on the next one may be.
  private var lastSpaced = Timestamp(nanoseconds: .min)
  private var nextSpaced = Timestamp(nanoseconds: .min)

  /// The numbers of the last ones among all.
  var numbers: Range<Int> { max(0, total - Explanation.evidenceLimit)..<total }

  /// One of the last ones, by its number among all.
  subscript(number: Int) -> JudgedFix { fixes[number % Explanation.evidenceLimit] }

  /// The last ones, oldest first.
  var lastOnes: [JudgedFix] { numbers.map { self[$0] } }

  /// The very last one.
  var last: JudgedFix? { total > 0 ? self[total - 1] : nil }

  /// The time of the first one of all that are remembered; nil where there is none.
  var oldest: Timestamp? {
    thinned.first?.timestamp ?? (total > 0 ? self[numbers.lowerBound].timestamp : nil)
  }

  /// The time of the last fix that was surely inside of a condition, or outside; nil where none was that is
  /// remembered.
  ///
  /// Of what is long ago not every fix is: it may be earlier than the last one, but isn't later.
  ///
  /// - Parameter since: earlier fixes don't count.
  func last(
    _ verdict: Judgement.Verdict, of condition: borrowing JudgedCondition, since: Timestamp?,
    with parameters: borrowing DecisionParameters
  ) -> Timestamp? {
    var points = PointFinder()
    let count = numbers.count
    // In a silence everything is asked that was satisfied: nothing is copied.
    for number in 0..<count + thinned.count {
      let fix =
        number < count
        ? self[total - 1 - number] : thinned[thinned.count - 1 - (number - count)]
      if let since, fix.timestamp < since { continue }
      // A reflection may have been anywhere.
      if fix.estimate.isUnproven { continue }
      let judgement = condition.judgement(of: fix.estimate, &points, with: parameters)
      if judgement.verdict == verdict { return fix.timestamp }
    }
    return nil
  }

  /// The way from a position to another, by the fixes between them that were surely beside the straight one.
  ///
  /// It begins where they are remembered well enough: each that was forgotten was judged itself, and the way
  /// between two of them was short, while a straight one over many cuts a corner.
  ///
  /// - Parameter deviations: from how many standard deviations on that is believed.
  func route(from start: TimedEstimate, to end: Waypoint, deviations: Double) -> Route {
    let straight = Way(from: start.estimate, to: end.estimate)
    let (last, seen) = (lastOnes, following)
    var stops = [end]
    var next = end.time
    // Backwards, as far as no clock was set back.
    for fix in seen.reversed() {
      guard fix.timestamp > start.time, fix.timestamp < next else { break }
      next = fix.timestamp
      if straight.misses(fix.estimate, by: deviations) { stops.append(fix.waypoint) }
    }
    if let first = last.last(where: { $0.timestamp == start.time }) {
      stops.append(first.waypoint(at: start.estimate))
    } else if let first = seen.first, first.timestamp - start.time > Route.straightTime {
      stops.append(first.waypoint)
    } else {
      stops.append(Waypoint(time: start.time, estimate: start.estimate))
    }
    // What lies between fixes that were forgotten was seen.
    let times = last.map(\.timestamp).filter { $0 >= start.time } + [end.time]
    let unseen = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
    return Route(by: stops.reversed(), unseen: unseen)
  }

  /// The last fixes, and of those before as many as follow each other closely, oldest first.
  private var following: [JudgedFix] {
    var fixes = lastOnes
    for fix in spaced.reversed() {
      guard let next = fixes.first, fix.timestamp < next.timestamp else { continue }
      guard next.timestamp - fix.timestamp <= Route.straightTime else { break }
      fixes.insert(fix, at: 0)
    }
    return fixes
  }

  /// For how long fixes have followed each other closely, as far as they are remembered, not before some time.
  func followed(since start: Timestamp, to end: Timestamp) -> Duration {
    var next = end
    for fix in following.reversed() {
      let span = next - fix.timestamp
      guard fix.timestamp >= start, span > .zero, span <= Route.straightTime else { break }
      next = fix.timestamp
    }
    return end - next
  }

  /// For how long at most the way from a position to another by all fixes between that are remembered led inside of a
  /// shape; see ``Leg/longestStay(inside:)``.
  func longestStay(
    inside shape: some JudgedShape, from start: TimedEstimate, to end: Waypoint
  ) -> Duration {
    var stay = Duration.zero
    var next = TimedEstimate(time: end.time, estimate: end.estimate)
    for fix in (spaced + lastOnes).reversed() {
      // A clock may have been set back.
      guard fix.timestamp >= start.time, fix.timestamp < next.time else { continue }
      let way = Way(from: fix.estimate, to: next.estimate)
      stay += Leg(way: way, span: next.time - fix.timestamp).longestStay(inside: shape)
      next = TimedEstimate(time: fix.timestamp, estimate: fix.estimate)
    }
    // What is forgotten was judged, and couldn't tell: the way between led straight on.
    let way = Way(from: start.estimate, to: next.estimate)
    return stay + max(next.time - start.time, .zero) * shape.share(of: way)
  }

  /// The way from a position to another by all fixes between two times; nil where it isn't remembered.
  func detour(
    from start: TimedEstimate, by times: ClosedRange<Timestamp>, to end: Waypoint
  ) -> Detour? {
    let last = lastOnes
    let between = last.filter { times.contains($0.timestamp) }
    guard let first = last.last(where: { $0.timestamp == start.time }), !between.isEmpty else {
      return nil
    }
    return Detour(by: [first.waypoint(at: start.estimate)] + between.map(\.waypoint) + [end])
  }

  /// Adds one.
  @inline(__always)
  mutating func append(_ fix: borrowing Location, _ estimate: PositionEstimate) {
    let place = total % Explanation.evidenceLimit
    if place == fixes.count { fixes.resize(to: place + 1) }
    unsafe fixes.withMutableElements { unsafe $0[place].take(fix, estimate) }
    total += 1
    if untilThinned == 0 { thin(fixes[place]) }
    untilThinned -= 1
    // A clock may be set back.
    if fix.timestamp >= nextSpaced || fix.timestamp < lastSpaced { space(fixes[place]) }
  }

  /// How far apart those are at least: the way between two is short enough then to be straight, wherever fixes
  /// are no farther apart themselves.
  private static let spacing = Duration.milliseconds(2_500)

  /// A minute of them.
  static let maximumSpaced = 24

  @inline(never)
  private mutating func space(_ fix: JudgedFix) {
    // Many at once: those behind them are moved.
    if spaced.count == 2 * Self.maximumSpaced { spaced.removeFirst(Self.maximumSpaced) }
    spaced.append(fix)
    (lastSpaced, nextSpaced) = (fix.timestamp, fix.timestamp + Self.spacing)
  }

  /// Keeps one of many fixes.
  @inline(never)
  private mutating func thin(_ fix: JudgedFix) {
    if thinned.count == Self.maximumThinned {
      let older = stride(from: 0, to: thinned.count / 2, by: 2).map { thinned[$0] }
      thinned.replaceSubrange(..<(thinned.count / 2), with: older)
    }
    thinned.append(fix)
    untilThinned = Explanation.evidenceLimit
  }

  /// Some twenty minutes of fixes a second, and what is left of those before.
  static let maximumThinned = 64

  /// Forgets those before the last ones.
  mutating func forgetOlder() { (thinned, spaced) = ([], []) }

  /// The last ones of some that went on, of which one was kept after so many others.
  ///
  /// - Parameter older: those of before; where spaced ones weren't kept, they are some of the last ones.
  init(
    last: [JudgedFix], untilThinned: Int, older: (thinned: [JudgedFix], spaced: [JudgedFix])
  ) {
    self.untilThinned = (untilThinned + last.count) % Explanation.evidenceLimit
    for fix in last { append(fix.location(from: nil), fix.estimate) }
    if !older.thinned.isEmpty { thinned = older.thinned }
    guard let last = older.spaced.last?.timestamp else { return }
    spaced = older.spaced
    (lastSpaced, nextSpaced) = (last, last + Self.spacing)
  }

  init() {}
}
