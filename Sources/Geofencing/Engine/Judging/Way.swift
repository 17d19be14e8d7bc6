/// The straight way between two positions.
struct Way {
  let start: PositionEstimate
  private let end: PositionEstimate

  /// Metres along the ground.
  let ground: Double

  /// The two ends as points in space.
  private let points: (start: GeocentricPoint, end: GeocentricPoint)

  /// The standard deviation of positions on the way in metres: that of the less sure end.
  private let sigma: Double

  /// Whether fixes in close succession showed the way, so that it is known to be straight.
  private let isFollowed: Bool

  init(from start: PositionEstimate, to end: PositionEstimate, isFollowed: Bool = false) {
    self.isFollowed = isFollowed
    self.start = start
    self.end = end
    points = (GeocentricPoint(start.coordinate), GeocentricPoint(end.coordinate))
    let chord = points.start.squaredDistance(to: points.end).squareRoot()
    ground =
      chord < Chord.longestShort
      ? Chord.geodesic(ofShort: chord) : start.coordinate.distance(to: end.coordinate)
    sigma = max(start.sigma, end.sigma)
  }

  /// The length in metres, with the climb if the altitudes of both ends are known.
  var length: Double {
    guard let altitude = start.altitude, let other = end.altitude else { return ground }
    let climbs = AltitudeBand.Reference.allCases.compactMap { reference in
      altitude[reference].flatMap { from in other[reference].map { abs($0 - from) } }
    }
    guard let climb = climbs.max(), climb > 0 else { return ground }
    return (ground * ground + climb * climb).squareRoot()
  }

  /// Whether the way surely leads past a position that lies between its ends in time.
  ///
  /// - Parameter deviations: the distance from the way, in standard deviations, from which that is believed.
  func misses(_ position: PositionEstimate, by deviations: Double) -> Bool {
    let point = GeocentricPoint(position.coordinate)
    let (share, squared) = point.closest(from: points.start, to: points.end)
    let beside =
      ground < Self.straight
      ? squared.squareRoot()
      : position.coordinate.distance(
        toWayFrom: start.coordinate, to: end.coordinate)
    if beside > deviations * position.sigma { return true }
    guard let altitude = position.altitude, let other = end.altitude,
      let passed = start.altitude?.moved(by: share, towards: other)
    else { return false }
    return AltitudeBand.Reference.allCases.contains { reference in
      guard let metres = altitude[reference], let expected = passed[reference] else { return false }
      return abs(metres - expected) > deviations * altitude.sigma
    }
  }

  /// The probability of having been inside on the way; nil if it isn't known.
  ///
  /// It is that of the most probable position: in a circle the one closest to the centre, in any other shape the
  /// deepest. If the way was followed by fixes and leads on behind the shape, errors along it don't matter: then ways
  /// beside it that lead through count as well, see ``Passage``.
  ///
  /// - Parameter probability: a half or more. If the result would be less, it may be nil.
  func largestProbability(
    of prepared: PreparedCondition, atLeast probability: Double,
    with parameters: DecisionParameters
  ) -> Double? {
    if case .circle(let circle) = prepared.shape, prepared.condition.altitude == nil {
      return largestProbability(of: circle)
    }
    let bearing = start.coordinate.bearing(to: end.coordinate)
    let band = prepared.condition.altitude
    // Above and below a band distances don't bound the probability.
    var least =
      band == nil
      ? PreparedShape.farthest(
        deviations: Judgement.deviations(confidence: probability), sigma: sigma,
        bend: prepared.shape.bend) : Double.infinity
    var deepest: PositionEstimate?
    func distance(at share: Double) -> Double? {
      guard let position = position(at: share, bearing: bearing, for: band) else { return nil }
      let distance = prepared.signedDistance(to: position)
      // Along an edge all positions are as deep, but near a corner less is inside: the search begins in the middle.
      if distance < least - tolerance { (least, deepest) = (distance, position) }
      return distance
    }
    search(distance) { least }
    func judged(_ position: PositionEstimate) -> Double {
      Judgement(of: position, against: prepared, with: parameters).probability
    }
    let confidence = parameters.confidence(for: prepared.condition)
    var largest = deepest.map(judged)
    let inBand = band.map(leastProbability) ?? 1
    if isFollowed, largest ?? 0 < confidence, inBand > 0 {
      let least = max(probability, largest ?? 0) / inBand
      let passage = Passage(sigma: sigma).probability(atLeast: least) {
        leads(through: prepared, aside: $0, bearing: bearing)
      }
      if let passage { largest = max(largest ?? 0, passage * inBand) }
    }
    // If parts of a corridor lie side by side, the most probable position is in the middle between them.
    guard let largest, case .corridor = prepared.shape, largest < confidence else {
      return largest
    }
    let middles = stretches(within: band) { prepared.signedDistance(to: $0) }.compactMap {
      position(at: ($0.lowerBound + $0.upperBound) / 2, bearing: bearing, for: band)
    }
    return middles.reduce(largest) { max($0, judged($1)) }
  }

  /// The least probability of being in a band that any position of the way has.
  ///
  /// Between the ends the altitude is in between, so it is that of one of the ends.
  private func leastProbability(in band: AltitudeBand) -> Double {
    [start, end].map { end in
      guard let altitude = end.altitude, let metres = altitude[band.reference] else { return 0 }
      return band.probabilityInside(around: metres, sigma: altitude.sigma)
    }.min() ?? 0
  }

  /// Whether the way surely passes a circle so far away that the probability of having been inside is less than that.
  ///
  /// It is found along straight lines in space, which is enough for most ways. To the centre of a large circle such a
  /// line is shorter than the way along the ground: so no way is said to miss that doesn't.
  func misses(
    _ circle: CircularGeographicCondition, at center: GeocentricPoint, by probability: Double
  ) -> Bool {
    guard ground < Self.straight else { return false }
    let squared = center.closest(from: points.start, to: points.end).squaredDistance
    let closest = squared.squareRoot() - 1.5
    return self.probability(of: circle, passedAt: max(closest, 0), isPassed: isFollowed)
      < probability
  }

  /// Up to how many metres a way counts as straight in space: then its middle is half a metre below the ground.
  private static let straight = 5_000.0

  /// The probability of having been inside a circle without options on the way.
  func largestProbability(of circle: CircularGeographicCondition) -> Double {
    let closest = circle.center.distance(
      toWayFrom: start.coordinate, to: end.coordinate)
    let isPassed =
      isFollowed
      && [start, end].allSatisfy {
        $0.coordinate.distance(to: circle.center) > closest + tolerance
      }
    return probability(of: circle, passedAt: closest, isPassed: isPassed)
  }

  /// The probability of having been inside a circle, or of having passed through it if `isPassed`.
  ///
  /// - Parameter closest: the least distance in metres from the way to its centre.
  private func probability(
    of circle: CircularGeographicCondition, passedAt closest: Double, isPassed: Bool
  ) -> Double {
    isPassed
      ? Passage(sigma: sigma).probability(radius: circle.radius, distanceToCenter: closest)
      : Judgement.probabilityInside(
        radius: circle.radius, distanceToCenter: closest, sigma: sigma)
  }

  /// Looks for the least distance along the way: from metre to metre it changes by no more than a metre.
  ///
  /// It halves the parts that may hold a lesser one than was found: S. A. Piyavskii, "An algorithm for finding the
  /// absolute extremum of a function", 1972. A part can't be judged where `distance` is nil: the search ends.
  private func search(_ distance: (Double) -> Double?, least: () -> Double) {
    guard let first = distance(0), let last = distance(1) else { return }
    var parts = [(range: 0.0...1, first: first, last: last)]
    var next = 0
    // Each part is looked at once, the widest first. The limit is enough for any way of a minute, and bounds what a
    // strange way costs.
    while next < parts.count, next < Self.searchLimit {
      let part = parts[next]
      next += 1
      let width = (part.range.upperBound - part.range.lowerBound) * length
      guard (part.first + part.last - width) / 2 < least() - tolerance else { continue }
      let middle = (part.range.lowerBound + part.range.upperBound) / 2
      guard let value = distance(middle) else { return }
      parts.append((part.range.lowerBound...middle, part.first, value))
      parts.append((middle...part.range.upperBound, value, part.last))
    }
  }

  /// Whether the way that is so many metres to the right of this one leads through a shape.
  private func leads(
    through prepared: PreparedCondition, aside: Double, bearing: Double
  ) -> Bool {
    let beginning = start.coordinate.moved(by: aside, bearing: bearing + 90)
    var isThrough = false
    search { share in
      let distance = prepared.signedDistance(
        to: beginning.moved(by: ground * share, bearing: bearing))
      if distance < 0 { isThrough = true }
      return distance
    } least: {
      isThrough ? -.infinity : tolerance
    }
    return isThrough
  }

  private static let searchLimit = 500

  /// The error in metres that doesn't matter for a distance.
  private var tolerance: Double { sigma / 50 }

  /// The share of the way that lies inside a shape, from 0 to 1.
  ///
  /// - Parameters:
  ///   - band: the condition's altitude band. If the altitudes aren't known, all of the way counts as inside.
  ///   - distance: the signed distance of a position in metres.
  func share(within band: AltitudeBand?, _ distance: (PositionEstimate) -> Double) -> Double {
    stretches(within: band, distance).reduce(0) { $0 + $1.upperBound - $1.lowerBound }
  }

  /// The stretches of the way that lie inside, as shares of its length, found with ``samples`` positions along it.
  private func stretches(
    within band: AltitudeBand?, _ distance: (PositionEstimate) -> Double
  ) -> [Range<Double>] {
    let bearing = start.coordinate.bearing(to: end.coordinate)
    var stretches: [Range<Double>] = []
    for number in 0..<Self.samples {
      let (from, to) = (
        Double(number) / Double(Self.samples), Double(number + 1) / Double(Self.samples)
      )
      let middle = position(at: (from + to) / 2, bearing: bearing, for: band)
      guard middle.map({ distance($0) < 0 }) ?? true else { continue }
      if let last = stretches.last, last.upperBound == from {
        stretches[stretches.count - 1] = last.lowerBound..<to
      } else {
        stretches.append(from..<to)
      }
    }
    return stretches
  }

  private static let samples = 100

  /// The position at a share of the way; nil if a band asks for an altitude that isn't known.
  private func position(
    at share: Double, bearing: Double, for band: AltitudeBand?
  ) -> PositionEstimate? {
    var position = PositionEstimate(
      coordinate: start.coordinate.moved(by: ground * share, bearing: bearing), sigma: sigma)
    guard let band else { return position }
    guard let from = start.altitude, let to = end.altitude,
      let altitude = from.moved(by: share, towards: to), altitude[band.reference] != nil
    else { return nil }
    position.altitude = altitude
    return position
  }
}
