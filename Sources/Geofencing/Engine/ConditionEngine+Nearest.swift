/// A condition as it stands to the last position that was judged.
package struct NearbyCondition: Sendable, Hashable {
  package let key: ConditionKey
  package let state: ConditionState

  /// Metres from the position to the edge, negative inside; nil before the first fix.
  package let distance: Double?

  /// The probability that the true position is inside; nil before the first fix.
  package let probability: Double?

  /// Whether the accuracy at hand is too poor to ever believe a position inside.
  package let isAccuracyLimited: Bool

  /// A change that isn't confirmed yet, and how far it is.
  package struct Confirmation: Sendable, Hashable {
    /// The state that is being confirmed.
    package let candidate: ConditionState

    /// How many fixes have spoken for it, and how many are asked for.
    package let fixes: Int
    package let fixesNeeded: Int

    /// How long they span, and how long they have to.
    package let span: Duration
    package let spanNeeded: Duration
  }

  /// The change that is under way; nil when none is.
  package let confirmation: Confirmation?

  /// The same with no more digits than mean something: millimetres and millionths.
  package var rounded: NearbyCondition {
    NearbyCondition(
      key: key, state: state, distance: distance?.rounded(toPlaces: 3),
      probability: probability?.rounded(toPlaces: 6), isAccuracyLimited: isAccuracyLimited,
      confirmation: confirmation)
  }
}

extension ConditionEngine {
  /// The conditions with the smallest signed distance to where the last fix was taken to be.
  ///
  /// Those it is deepest inside of come first. Before the first fix, it is those with the smallest keys.
  /// It looks at every condition, at most of them only at their latitude.
  ///
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - isIncluded: which conditions count.
  /// - Returns: them in order, and how many conditions count.
  package func nearest(
    _ limit: Int, where isIncluded: (ConditionKey) -> Bool
  ) -> (conditions: [NearbyCondition], total: Int) {
    // In the order of distances, and of keys where they are equal.
    var found: [(distance: Double, key: ConditionKey)] = []
    var total = 0
    for index in watches.indices where isIncluded(watches[index].key) {
      total += 1
      let key = watches[index].key
      let farthest = found.count < limit ? nil : found.last
      var distance = 0.0
      if let lastEstimate {
        let prepared = watches[index].value.prepared
        if let farthest,
          prepared.condition.leastDistance(to: lastEstimate.coordinate) > farthest.distance
        {
          continue
        }
        distance = prepared.signedDistance(to: lastEstimate)
      }
      if let farthest {
        guard (distance, key) < (farthest.distance, farthest.key) else { continue }
        found.removeLast()
      }
      let place = found.firstIndex { (distance, key) < ($0.distance, $0.key) } ?? found.endIndex
      if limit > 0 { found.insert((distance, key), at: place) }
    }
    return (found.compactMap { watches[$0.key] }.map(nearby), total)
  }

  private func nearby(_ watch: ConditionWatch) -> NearbyCondition {
    let judgement = lastEstimate.map {
      Judgement(of: $0, against: watch.prepared, with: parameters)
    }
    let confirmation = watch.status.candidate.flatMap { _ in watch.status.confirmation }
    return NearbyCondition(
      key: watch.key, state: watch.status.state, distance: judgement?.distance,
      probability: judgement?.probability,
      isAccuracyLimited: judgement?.isAccuracyLimited ?? watch.status.isAccuracyLimited,
      confirmation: confirmation.map {
        NearbyCondition.Confirmation(
          candidate: $0.state, fixes: $0.fixes, fixesNeeded: $0.fixesNeeded, span: $0.span,
          spanNeeded: $0.spanNeeded)
      })
  }
}

extension Condition {
  /// A distance in metres that ``signedDistance(to:)`` is never below, at next to no cost.
  ///
  /// A way between two latitudes is never shorter than the meridian between them, and a degree of that
  /// is shortest at the equator, where its radius of curvature is a(1 − e²) of WGS84.
  fileprivate func leastDistance(to position: Coordinate) -> Double {
    guard case .circle(let circle) = shape else { return -.infinity }
    let degrees = abs(position.latitude - circle.center.latitude)
    return degrees * .pi / 180 * 6_335_439 - circle.radius
  }
}
