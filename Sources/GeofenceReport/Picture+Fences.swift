import Geofencing

/// The conditions that are drawn.
extension Picture {
  /// Draws the conditions near the track and those with events, and returns their keys.
  mutating func setFences(
    of report: Report, on map: LocalMap, near bounds: inout MapBounds, at points: [MapPoint],
    tolerance: Double
  ) -> [ConditionKey] {
    let naming = report.naming
    let telling = Set(
      report.events.map(\.event.transition).filter(\.isTelling).map(\.key))
    let way = bounds
    let reach = max(500, way.extent / 2)
    var found: [FoundFence] = []
    for fence in report.fences {
      let isTelling = telling.contains(fence.key)
      let anchor = fence.condition.anchor
      // A cheap check first, in case there are ten thousand conditions elsewhere.
      let far = map.center.distance(to: anchor) - fence.condition.reach
      if !way.isEmpty, !isTelling, far > way.extent * 1.5 + reach { continue }
      let outline = FenceOutline(fence.condition.shape, on: map, tolerance: tolerance)
      let distance = isTelling || way.isEmpty ? 0 : outline.bounds.distance(to: way)
      guard distance <= reach, !outline.bounds.isEmpty else { continue }
      let drawing = Fence(
        name: naming.name(of: fence.key), about: fence.condition.summary, outline,
        anchor: map.point(of: anchor))
      found.append(
        FoundFence(
          key: fence.key, drawing: drawing, bounds: outline.bounds, isTelling: isTelling,
          distance: distance))
    }
    if found.count > Self.fenceLimit {
      // If many are in the box around the track, those that are nearest to the track itself.
      let sample = stride(from: 0, to: points.count, by: points.count / Self.sampleSize + 1)
        .map { MapBounds([points[$0]]) }
      for place in found.indices {
        let bounds = found[place].bounds
        found[place].distance = sample.map { bounds.distance(to: $0) }.min() ?? 0
      }
    }
    found.sort {
      ($0.isTelling ? 0 : 1, $0.distance, $0.key) < ($1.isTelling ? 0 : 1, $1.distance, $1.key)
    }
    let drawn = found.prefix(Self.fenceLimit)
    fences = drawn.map(\.drawing)
    for fence in drawn
    where way.isEmpty
      || fence.bounds.distance(to: way) == 0 && fence.drawing.size < max(way.extent, 200) * 3
    {
      for corner in [fence.bounds.least, fence.bounds.greatest] { bounds.include(corner) }
    }
    return drawn.map(\.key)
  }

  /// A condition that may be drawn.
  private struct FoundFence {
    let key: ConditionKey
    let drawing: Fence
    let bounds: MapBounds

    /// Whether it has events.
    let isTelling: Bool

    /// The distance to the track in metres.
    var distance: Double
  }

  /// How many are drawn at most.
  private static let fenceLimit = 500

  /// With how many positions of the track conditions are compared.
  private static let sampleSize = 200
}

extension Picture.Fence {
  fileprivate init(
    name: String, about: String, _ outline: FenceOutline, anchor: MapPoint
  ) {
    self.init(
      row: -1, name: name, about: about, area: outline.area, edge: outline.edge,
      width: outline.width, x: anchor.x.toCentimetres, y: anchor.y.toCentimetres,
      top: (outline.width.map { anchor.y - $0 / 2 } ?? outline.bounds.least.y).toCentimetres,
      size: outline.bounds.extent.toCentimetres)
  }
}
