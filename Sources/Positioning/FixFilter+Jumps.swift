import Geofencing

/// Fixes that contradict the last one, and when they are believed.
extension FixFilter {
  /// Fixes in a row that contradict the last one that was taken: the first, the last, the largest speed that they
  /// tell in metres per second, and how many they are.
  struct Row {
    var first: Location
    var last: Location
    var fastest: Double
    var count = 1

    /// Why the last one was refused, and how long the row has to last.
    var reason: RejectionReason
    var timeNeeded = Duration.zero

    /// How many were refused since the last fix that was taken, and over what time: also those before the row that don't
    /// agree with it.
    var refused = 1
    var time = Duration.zero

    /// The row before, which a single stray fix has only interrupted.
    var interrupted: (first: Location, last: Location)?
  }

  /// Adds a rejected fix to the row of its receiver, and says whether the row is believed now.
  ///
  /// That takes several fixes that agree with each other. They also have to last for some time if it is their time
  /// that contradicts, or if no speed explains where they are.
  mutating func addToRow(_ fix: Location, because reason: RejectionReason) -> Bool {
    let before = challengers[fix.device]
    var row = Row(first: fix, last: fix, fastest: believable(fix.speed), reason: reason)
    if let before {
      if agrees(before.last, fix) {
        (row.first, row.count) = (before.first, before.count + 1)
        row.interrupted = row.count < parameters.persistence ? before.interrupted : nil
      } else {
        row.interrupted = (before.first, before.last)
        if let earlier = before.interrupted, agrees(earlier.last, fix) { row.first = earlier.first }
      }
      row.fastest = max(row.fastest, before.fastest)
      row.refused = before.refused + 1
      // A clock that leaps doesn't say how long that took.
      let step = fix.timestamp - before.last.timestamp
      let isLeap = step < .zero || step > parameters.longestSilence
      row.time = before.time + (isLeap ? .zero : step)
    }
    // The functions below look up there which speeds were told.
    challengers[fix.device] = row
    if reason != .impossibleSpeed {
      row.timeNeeded = proofOfTime(of: row)
    } else if fix.speed == nil || contradictsSpeed(fix) || isUnexplained(row.first, row, fix) {
      // If the receiver tells no speed, or none that explains the way, it takes as long as for shorter jumps.
      row.timeNeeded = parameters.jumpTime
    }
    challengers[fix.device] = row
    return row.count >= parameters.persistence
      && fix.timestamp - row.first.timestamp >= row.timeNeeded
  }

  /// What is refused of a receiver at present because it contradicts the last fix; nil where nothing is.
  func doubt(of device: String?) -> PositionDoubt? {
    guard let last, let row = challengers[device] else { return nil }
    return PositionDoubt(
      count: row.refused, time: row.time, reason: row.reason,
      distance: last.coordinate.distance(to: row.last.coordinate), believedAfter: row.timeNeeded)
  }

  /// How long a row has to last whose times contradict the last fix, however fast its fixes come.
  private func proofOfTime(of row: Row) -> Duration {
    guard let last else { return .zero }
    let step = row.first.timestamp - last.timestamp
    let time = Self.otherTimes.contains(step) ? Self.shortestProof : parameters.dateTime
    // Ahead, there may have been the time to go there.
    guard step <= .zero, isElsewhere(row, after: last) else { return time }
    return max(time, parameters.jumpTime)
  }

  /// Whether a row whose time went back lies farther away than it can have come since the last fix: the place leaps,
  /// too.
  private func isElsewhere(_ row: Row, after last: Location) -> Bool {
    let spacing = beforeLast.map { last.timestamp - $0.timestamp } ?? .zero
    let since = max(.seconds(3), min(spacing, Self.longestSpacing) + .seconds(1))
    return last.coordinate.distance(to: row.first.coordinate)
      > way(within: since, at: max(believable(last.speed), row.fastest))
      + uncertainty(of: last, row.first) + Self.unnoticedWay
  }

  /// By how much fixes may be apart that come one after the other.
  private static let longestSpacing = Duration.seconds(60)

  /// Metres that positions may be farther apart than that.
  private static let unnoticedWay = 30.0

  /// Steps in time that are no wrong date: back, a clock that was off by hours or a recording that begins again; ahead,
  /// a receiver that was off for days or months.
  private static let otherTimes = Duration.seconds(-43_200) ... .seconds(31_536_000)

  /// With a fix a second, three of them take longer.
  private static let shortestProof = Duration.seconds(1)

  private func agrees(_ before: Location, _ fix: Location) -> Bool {
    (try? checkTravel(from: before, to: fix)) != nil
  }

  /// Whether a row was refused for its times alone: it goes on from the last fix in all but those, and a fix from
  /// it.
  func isOfClockSetBack(_ row: Row, before fix: Location) -> Bool {
    guard let last, row.last.timestamp <= last.timestamp else { return false }
    return !contradictsSpeed(row.last, after: last, within: fix.timestamp - row.first.timestamp)
      && !contradictsSpeed(fix, after: row.last, within: fix.timestamp - row.last.timestamp)
  }

  /// Whether a fix that the time would allow by now belongs to a row that isn't believed.
  ///
  /// Then it contradicts the speeds, too, or lies where the row has been rather than where the last fix leads.
  func insists(_ row: Row, with fix: Location) -> Bool {
    guard goesOn(row, with: fix) else { return false }
    if contradictsSpeed(fix) { return true }
    func leadsTo(_ first: Location, _ last: Location) -> Bool {
      isUnexplained(first, row, fix) && isBeside(last, fix) && !isReturn(fix, from: last)
    }
    return leadsTo(row.first, row.last) || row.interrupted.map(leadsTo) ?? false
  }

  /// Whether no speed that a row has told by now explains how it came to its first fix: a reflection lies
  /// elsewhere like that, for however long.
  private func isUnexplained(_ first: Location, _ row: Row, _ fix: Location) -> Bool {
    // Nothing has borne out the very first fix; what contradicts that may be right.
    guard let last, isBorneOut, first.timestamp > last.timestamp else { return false }
    // Who goes faster than the limit is refused for that, and is no reflection.
    guard max(first.speed ?? 0, fix.speed ?? 0) <= parameters.maximumSpeed else { return false }
    let time = first.timestamp - last.timestamp
    // Nor is what gets so fast at once: before, the receiver stood still because it saw nothing.
    if let before = last.speed, let speed = first.speed,
      abs(speed - before) > Self.largestAcceleration * time.inSeconds + 5
    {
      return false
    }
    return last.coordinate.distance(to: first.coordinate)
      > way(within: time, at: max(believable(last.speed), row.fastest))
      + uncertainty(of: last, first)
  }

  /// Metres that may be travelled at a reported speed at most: speeds are late, and rounded.
  func way(within time: Duration, at speed: Double) -> Double {
    (speed * 1.25 + 3) * time.inSeconds
  }

  /// Whether a fix lies so close to the one before that the jump back to where it was is another.
  private func isBeside(_ before: Location, _ fix: Location) -> Bool {
    let time = fix.timestamp - before.timestamp
    guard fix.speed == nil else { return !contradictsSpeed(fix, after: before, within: time) }
    return before.coordinate.distance(to: fix.coordinate)
      <= parameters.maximumSpeed / 2 * max(time.inSeconds, 1) + uncertainty(of: before, fix)
  }

  /// Whether a fix lies where the last one leads rather than where one of a row does.
  private func isReturn(_ fix: Location, from stray: Location) -> Bool {
    guard let last else { return true }
    let (speed, bearing) = motion(at: last)
    func distance(from before: Location) -> Double {
      let way = speed * (fix.timestamp - before.timestamp).inSeconds
      return before.coordinate.moved(by: way, bearing: bearing).distance(to: fix.coordinate)
    }
    let likely =
      uncertainty(of: last, fix) + 0.1 * speed * (fix.timestamp - last.timestamp).inSeconds
    return distance(from: last) <= max(distance(from: stray), likely)
  }

  /// How fast the last fix says that it goes, and where to; where it doesn't, what the two last ones make of it.
  private func motion(at last: Location) -> (speed: Double, bearing: Double) {
    if let speed = last.speed, let course = last.course { return (speed, course) }
    guard let beforeLast else { return (0, 0) }
    let time = (last.timestamp - beforeLast.timestamp).inSeconds
    let way = beforeLast.coordinate.geodesic(to: last.coordinate)
    guard time > 0, time <= 10 else { return (0, 0) }
    return (min(last.speed ?? .infinity, way.length / time), way.bearing)
  }

  /// Metres per second squared; brakes and crashes apart, nothing on the ground gets faster or slower like that.
  private static let largestAcceleration = 10.0

  /// Whether a fix belongs to a row, or to the one that it has interrupted.
  private func goesOn(_ row: Row, with fix: Location) -> Bool {
    agrees(row.last, fix) || row.interrupted.map { agrees($0.last, fix) } ?? false
  }
}
