extension ConditionEngine {
  /// The conditions with the smallest signed distance to the last estimate.
  ///
  /// So those in which the estimate is deepest come first. Before the first fix they are those with the smallest keys.
  ///
  /// - Parameters:
  ///   - limit: how many are returned at most.
  ///   - isIncluded: which monitors' conditions count.
  /// - Returns: the conditions in order, and how many count in all.
  package func nearest(
    _ limit: Int, where isIncluded: (MonitorKey) -> Bool
  ) -> (conditions: [NearbyCondition], total: Int) {
    let included = names.countsByMonitor.filter { isIncluded($0.monitor) }
    let total = included.reduce(0) { $0 + $1.count }
    guard limit > 0, total > 0 else { return ([], total) }
    var found = NearestFew(limit: min(limit, total))
    // If few conditions count, most that are near may be others'.
    guard let lastEstimate, total >= count / Self.fewAmong else {
      for slot in names.slots(where: isIncluded) {
        let distance = lastEstimate.map { prepared(slot).signedDistance(to: $0) }
        found.insert(names.key(of: slot), at: distance ?? 0)
      }
      return (found.keys.compactMap { nearby(watched($0)) }, total)
    }
    let monitors = Set(included.map(\.monitor))
    // In a shape that holds more than half of the globe, a position can be deep inside and far from the edge.
    var seen = special.boundless.filter { monitors.contains(names.monitor(of: $0)) }
    for slot in seen {
      found.insert(names.key(of: slot), at: prepared(slot).signedDistance(to: lastEstimate))
    }
    // In ever larger circles, until nothing beyond can be nearer than those found.
    var radius = 500.0
    repeat {
      radius *= 4
      let reach = Reach(around: lastEstimate.coordinate, radius: radius)
      for entry in index.entries(within: reach) {
        // A million of these may be others'.
        guard !reach.isBeyond(entry), monitors.contains(names.monitor(of: entry.slot)),
          seen.insert(entry.slot).inserted
        else { continue }
        found.insert(
          names.key(of: entry.slot), at: prepared(entry.slot).signedDistance(to: lastEstimate))
      }
    } while radius < Self.halfway && !(found.isFull && found.farthest <= radius)
    return (found.keys.compactMap { nearby(watched($0)) }, total)
  }

  /// If no more than one condition in so many counts, those that do are looked at one by one.
  private static let fewAmong = 64

  /// In metres, more than the way to any place on Earth.
  private static let halfway = 20_100_000.0

  private func nearby(_ watch: WatchedCondition?) -> NearbyCondition? {
    guard let watch else { return nil }
    let judgement = lastEstimate.map {
      Judgement(of: $0, against: watch.prepared, with: parameters)
    }
    return NearbyCondition(
      key: watch.key, state: watch.status.state, distance: judgement?.distance,
      probability: judgement.flatMap {
        $0.lacksAltitude && $0.verdict != .outside ? nil : $0.probability
      },
      isAccuracyLimited: watch.status.isAccuracyLimited,
      confirmation: watch.status.watch.candidate.flatMap { _ in watch.status.watch.confirmation })
  }
}

/// The nearest few of many conditions, in order; of equally near ones, those with the smallest keys.
private struct NearestFew {
  let limit: Int
  private var found: [(distance: Double, key: ConditionKey)] = []

  init(limit: Int) { self.limit = limit }

  var keys: [ConditionKey] { found.map(\.key) }
  var isFull: Bool { found.count == limit }
  var farthest: Double { found.last?.distance ?? .infinity }

  mutating func insert(_ key: ConditionKey, at distance: Double) {
    if isFull, let last = found.last {
      guard (distance, key) < last else { return }
      found.removeLast()
    }
    // Finds the first condition that comes after it.
    var (low, high) = (0, found.count)
    while low < high {
      let middle = (low + high) / 2
      if (distance, key) < found[middle] { high = middle } else { low = middle + 1 }
    }
    found.insert((distance, key), at: low)
  }
}
