/// What of an awake condition says whether a fix changes anything; plain memory, apart from the rest.
struct Gate: BitwiseCopyable, Sendable {
  let slot: UInt32
  let place: SpatialIndex.Place

  /// Whether nothing happens where a fix is surely inside, and where it is surely too close to the line.
  private var isOpenInside = false
  private var isOpenAtLine = false

  /// Whether it asks for an altitude that the last fixes lack.
  private(set) var lacksAltitude = false

  init(_ slot: UInt32, _ place: SpatialIndex.Place, _ watch: ConditionWatch) {
    self.slot = slot
    self.place = place
    update(watch)
  }

  /// Takes note of what was judged.
  mutating func update(_ watch: ConditionWatch) {
    let condition = watch.condition
    isOpenAtLine =
      place.isCircle && condition.altitude == nil && condition.confidence == nil
      && !watch.status.isHeldByStanding
    isOpenInside =
      isOpenAtLine && watch.status.state == .satisfied && watch.status.candidate == nil
      && watch.status.gapBegan == nil
    lacksAltitude = watch.status.altitudeLackedSince != nil
  }

  /// Whether a fix changes nothing: it is surely inside of what is satisfied already, or surely too
  /// close to the line to say.
  ///
  /// - Parameters:
  ///   - point: where the fix is taken to be.
  ///   - zone: the zone by the confidence that conditions have by default.
  ///   - isGap: whether something is missing before it.
  func isPassed(by point: GeocentricPoint, _ zone: UndecidedZone, isGap: Bool) -> Bool {
    guard isOpenAtLine, place.chord >= zone.straightFrom else { return false }
    let squared = place.squaredDistance(to: point)
    let inside = place.chord - zone.halfWidth - place.tolerance
    if squared <= inside * inside { return isOpenInside }
    // A metre beside a large circle is a little more along the ground than in a straight line.
    let half = zone.halfWidthSurely - 2 * place.tolerance - place.chord * 1e-9
    let stretched = half * (1 - place.chord * place.chord * 1e-14)
    let (from, to) = (place.chord - stretched, place.chord + stretched)
    return !isGap && half > 0 && from > 0 && squared > from * from && squared < to * to
  }
}

/// How close to a straight line a position can't be told to be on either side of it.
struct UndecidedZone: Sendable {
  /// Metres to either side beyond which it can surely be told.
  let halfWidth: Double

  /// Metres to either side within which it surely can't.
  let halfWidthSurely: Double

  /// The radius in metres from which a circle's line counts as straight.
  let straightFrom: Double

  /// - Parameters:
  ///   - deviations: the distance in standard deviations at which a position is just believed.
  init(deviations: Double, sigma: Double) {
    halfWidth = deviations * sigma * (1 + 1e-6) + 1e-3
    halfWidthSurely = deviations * sigma * (1 - 1e-6) - 1e-3
    straightFrom = 4 * sigma * (1 + 1e-6) + 1e-3
  }
}
