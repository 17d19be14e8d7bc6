/// The fixes that were judged last, all of them, and some of those before.
package struct JudgedFixes: Sendable {
  /// The last fixes as a ring: a new one takes the place of the oldest.
  private var fixes = Column<JudgedFix>()

  /// How many fixes were ever judged.
  private(set) var total = 0

  /// Some of all fixes, oldest first: one in ``Explanation/evidenceLimit``, and the older they are the fewer.
  private(set) var thinned: [JudgedFix] = []

  /// How many fixes come before the next one is kept there.
  private(set) var untilThinned = 0

  /// Fixes of the last minute or more that are some seconds apart, oldest first.
  private(set) var spaced: [JudgedFix] = []

  /// The time of the last one of these, and the time from which the next one is kept.
  private var lastSpaced = Timestamp(nanoseconds: .min)
  private var nextSpaced = Timestamp(nanoseconds: .min)

  /// The numbers of the last fixes among all.
  var numbers: Range<Int> { max(0, total - Explanation.evidenceLimit)..<total }

  /// One of the last fixes, by its number among all.
  subscript(number: Int) -> JudgedFix { fixes[number % Explanation.evidenceLimit] }

  /// The last fixes, oldest first.
  var lastOnes: [JudgedFix] { numbers.map { self[$0] } }

  /// The last fix; nil if none was judged.
  var last: JudgedFix? { total > 0 ? self[total - 1] : nil }

  /// The time of the oldest fix that is remembered; nil if there is none.
  var oldest: Timestamp? {
    thinned.first?.timestamp ?? (total > 0 ? self[numbers.lowerBound].timestamp : nil)
  }

  /// The time of the last remembered fix that was surely inside a condition, or outside; nil if there is none.
  ///
  /// Of the distant past only some fixes are remembered: the true time may be later, but not earlier.
  ///
  /// - Parameter since: the time from which fixes count; nil for all.
  func last(
    _ verdict: Judgement.Verdict, of condition: borrowing JudgedCondition, since: Timestamp?,
    with parameters: borrowing DecisionParameters
  ) -> Timestamp? {
    var points = PointFinder()
    let count = numbers.count
    // When a silence begins this is asked for all satisfied conditions, so nothing is copied.
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

  /// The way from a position to another, by those fixes between them that were surely beside the straight way.
  ///
  /// If the fix at its beginning isn't remembered any more, it begins with the first that is. Those before were judged
  /// themselves, with short ways between them, while a straight way over many of them would cut corners.
  ///
  /// - Parameter deviations: the distance from the straight way, in standard deviations, from which a fix is believed
  ///   to be beside it.
  func route(from start: TimedEstimate, to end: Waypoint, deviations: Double) -> Route {
    let straight = Way(from: start.estimate, to: end.estimate)
    let (last, seen) = (lastOnes, following)
    var stops = [end]
    var next = end.time
    // Backwards, up to where a clock was set back.
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
    // Between fixes that were forgotten the way was seen: only the times between the last ones count.
    let times = last.map(\.timestamp).filter { $0 >= start.time } + [end.time]
    let unseen = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
    return Route(by: stops.reversed(), unseen: unseen)
  }

  /// The last fixes and those before that follow each other closely, oldest first.
  private var following: [JudgedFix] {
    var fixes = lastOnes
    for fix in spaced.reversed() {
      guard let next = fixes.first, fix.timestamp < next.timestamp else { continue }
      guard next.timestamp - fix.timestamp <= Route.straightTime else { break }
      fixes.insert(fix, at: 0)
    }
    return fixes
  }

  /// For how long before the end fixes have followed each other closely, as far as they are remembered.
  ///
  /// - Parameter start: fixes before it don't count.
  func followed(since start: Timestamp, to end: Timestamp) -> Duration {
    var next = end
    for fix in following.reversed() {
      let span = next - fix.timestamp
      guard fix.timestamp >= start, span > .zero, span <= Route.straightTime else { break }
      next = fix.timestamp
    }
    return end - next
  }

  /// For how long at most the way between two positions, by all remembered fixes between them, led inside a shape.
  ///
  /// See ``Leg/longestStay(inside:)``.
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
    // The fixes before were judged undecided and forgotten: the way to the first that is remembered counts as
    // straight.
    let way = Way(from: start.estimate, to: next.estimate)
    return stay + max(next.time - start.time, .zero) * shape.share(of: way)
  }

  /// The way from a position to another by all fixes between two times; nil if these aren't remembered.
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

  /// Adds a fix.
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

  /// How far apart spaced fixes are at least: the way between two is short enough then to count as straight, wherever
  /// fixes come at least that often.
  private static let spacing = Duration.milliseconds(2_500)

  /// How many spaced fixes a minute has.
  static let maximumSpaced = 24

  @inline(never)
  private mutating func space(_ fix: JudgedFix) {
    // Many are removed at once, as the rest is moved.
    if spaced.count == 2 * Self.maximumSpaced { spaced.removeFirst(Self.maximumSpaced) }
    spaced.append(fix)
    (lastSpaced, nextSpaced) = (fix.timestamp, fix.timestamp + Self.spacing)
  }

  /// Keeps a fix among the thinned ones; if there are too many, every second one of the older half is dropped.
  @inline(never)
  private mutating func thin(_ fix: JudgedFix) {
    if thinned.count == Self.maximumThinned {
      let older = stride(from: 0, to: thinned.count / 2, by: 2).map { thinned[$0] }
      thinned.replaceSubrange(..<(thinned.count / 2), with: older)
    }
    thinned.append(fix)
    untilThinned = Explanation.evidenceLimit
  }

  /// Some twenty minutes of fixes at one a second, and some of those before.
  static let maximumThinned = 64

  /// Forgets all but the last fixes.
  mutating func forgetOlder() { (thinned, spaced) = ([], []) }

  /// Restores the last fixes, and those before.
  ///
  /// - Parameters:
  ///   - last: the last fixes, oldest first.
  ///   - untilThinned: how many fixes come before the next thinned one.
  ///   - older: the thinned and the spaced fixes. If none are given, they are taken from the last fixes.
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
