import Geofencing

/// What the page's script draws: a report as points on a map, thinned to what can be seen.
struct Picture: Encodable, Sendable {
  /// The fixes that are drawn, with an array for each of their properties.
  struct Track: Encodable, Sendable {
    /// Metres east of the middle of the map; below, metres south of it.
    var x: [Double] = []
    var y: [Double] = []
    /// Milliseconds since the beginning of the report.
    var time: [Int64] = []
    /// Metres per second.
    var speed: [Double?] = []
    /// The radius in metres that holds the position with 68 %.
    var accuracy: [Double?] = []
    /// The indices of the points after a gap.
    var gaps: [Int] = []
  }

  /// A fix that was left out.
  struct Rejection: Encodable, Sendable {
    var x: Double
    var y: Double
    var time: Int64?
    var why: String
  }

  /// A condition whose shape is drawn.
  struct Fence: Encodable, Sendable {
    /// The index of its row of states.
    var row: Int
    var name: String
    var about: String
    var area: String
    var edge: String
    var width: Double?
    /// The position of its name: the middle, and the upper edge.
    var x: Double
    var y: Double
    var top: Double
    /// Its size in metres, so that the script knows when it is too small to be seen.
    var size: Double
  }

  /// An event; its text is in the table.
  struct Event: Encodable, Sendable {
    var number: Int64
    var kind: String
    var row: Int
    var time: Int64
    var x: Double?
    var y: Double?
    var accuracy: Double?
  }

  /// The states of a condition.
  struct Row: Encodable, Sendable {
    var name: String
    /// The names of the states; below, the end of each.
    var states: [String]
    var until: [Int64]
    var from: Int64
  }

  /// The beginning of the report in milliseconds since 1970, and its length.
  var began: Int64 = 0
  var length: Int64 = 0
  /// By how many milliseconds the report's time zone is ahead of UTC; below, its name.
  var ahead: Int64 = 0
  var clocks = "UTC"
  /// The part that is shown at first: the middle, and metres to both sides.
  var view: [Double] = []
  var track = Track()
  var rejections: [Rejection] = []
  var fences: [Fence] = []
  var events: [Event] = []
  var rows: [Row] = []

  /// The row of each condition that has one.
  private var rowNumbers: [ConditionKey: Int] = [:]

  private enum CodingKeys: CodingKey {
    case began, length, ahead, clocks, view, track, rejections, fences, events, rows
  }

  /// How much of a report is drawn at most.
  private static let trackLimit = 20_000
  private static let rejectionLimit = 2000
  private static let rowLimit = 300

  /// The part of the whole picture that can't be seen on a screen of a thousand pixels, even magnified eight times.
  private static let finestPart = 1.0 / 16_000

  init(_ report: Report) {
    if let span = report.span {
      began = span.lowerBound.milliseconds
      length = span.upperBound.milliseconds - began
      if let offset = report.zone.offset(at: span.upperBound) {
        ahead = Int64(offset) * 1000
        clocks += report.zone.suffix(at: span.upperBound)
      }
    }
    let refused = report.rejections.suffix(Self.rejectionLimit)
    var anchors =
      report.track.map(\.coordinate)
      + report.events.compactMap(\.event.transition.location?.coordinate)
    // If no fix was used, those that were refused show the place, except those at 0° 0°.
    if anchors.isEmpty {
      anchors = refused.compactMap(\.fix.coordinate).filter {
        $0.latitude != 0 || $0.longitude != 0
      }
    }
    let map = LocalMap(
      around: anchors.isEmpty ? report.fences.map(\.condition.anchor) : anchors)
    let places = anchors.map { map.point(of: $0) }
    let points = Array(places.prefix(report.track.count))
    var bounds = MapBounds(places)
    let tolerance = max(0.02, bounds.extent * Self.finestPart)
    let near = setFences(of: report, on: map, near: &bounds, at: points, tolerance: tolerance)
    setRows(of: report, near: near)
    events = report.events.compactMap { event in
      rowNumbers[event.event.transition.key].map { row in
        Event(event.event, row: row, on: map, since: began)
      }
    }
    setTrack(of: report, at: points, tolerance: tolerance)
    rejections = refused.compactMap { Rejection($0, on: map, since: began) }
    if bounds.isEmpty { bounds.include(MapPoint(x: 0, y: 0)) }
    let seen = bounds.widened(by: max(20, bounds.extent * 0.04))
    view = [
      (seen.least.x + seen.greatest.x) / 2, (seen.least.y + seen.greatest.y) / 2,
      (seen.greatest.x - seen.least.x) / 2, (seen.greatest.y - seen.least.y) / 2,
    ].map(\.toCentimetres)
  }

  /// Whether a condition is on the page, because it has events or is drawn.
  func shows(_ key: ConditionKey) -> Bool { rowNumbers[key] != nil }

  private mutating func setRows(of report: Report, near: [ConditionKey]) {
    let naming = report.naming
    let telling = report.events.map(\.event.transition).filter(\.isTelling).map(\.key)
    let shown = Set(telling).union(near)
    // Conditions with events come first, and none of them is left out.
    let kept = report.stateRows.filter { shown.contains($0.key) }
      .prefix(max(Self.rowLimit, Set(telling).count))
    rowNumbers = Dictionary(zip(kept.map(\.key), 0...)) { first, _ in first }
    rows = kept.map { row in
      Row(
        name: naming.name(of: row.key), states: row.spans.map(\.state.rawValue),
        until: row.spans.map { $0.to.milliseconds - began },
        from: (row.spans.first?.from.milliseconds ?? began) - began)
    }
    for (index, key) in near.enumerated() { fences[index].row = rowNumbers[key] ?? -1 }
    // Larger ones are drawn first, so that smaller ones can be pointed at.
    fences.sort { ($0.size, $0.row) > ($1.size, $1.row) }
  }

  private mutating func setTrack(of report: Report, at points: [MapPoint], tolerance: Double) {
    let all = report.track
    let dates = report.events.map(\.event.transition.date).sorted()
    let speeds = all.compactMap(\.speed).max() ?? 0
    let accuracies = all.compactMap(\.horizontalAccuracy).max() ?? 0
    let (speedStep, accuracyStep) = (max(0.5, speeds / 40), max(1, accuracies / 40))
    var starts = all.indices.filter { $0 == 0 || all[$0].followsGap }
    // Each stretch between gaps keeps its ends; with very many gaps they are ignored.
    if starts.count > Self.trackLimit / 4 { starts = [0] }
    starts.append(all.count)
    var next = 0
    for (start, end) in zip(starts, starts.dropFirst()) {
      let limit = max(2, Self.trackLimit * (end - start) / all.count)
      let kept = LineThinning.indices(
        of: start..<end, limit: limit,
        keeping: Set((start..<end).filter { all[$0].timestamp.isNear(dates) })
      ) { index, from, to in
        // Compared with the position at even speed, so that stops are kept, too.
        let whole = (all[to].timestamp - all[from].timestamp).inSeconds
        let part = whole > 0 ? (all[index].timestamp - all[from].timestamp).inSeconds / whole : 0
        let (a, b) = (points[from], points[to])
        let even = MapPoint(x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part)
        func change(_ value: (Report.TrackPoint) -> Double?, _ step: Double) -> Double {
          guard let here = value(all[index]), let a = value(all[from]), let b = value(all[to])
          else { return value(all[index]) == nil && value(all[from]) == nil ? 0 : 1 }
          return abs(here - a - (b - a) * part) / step
        }
        return max(
          points[index].distance(to: even) / tolerance, change(\.speed, speedStep),
          change(\.horizontalAccuracy, accuracyStep))
      }
      for index in kept {
        if next > 0, all[next...index].contains(where: \.followsGap) {
          track.gaps.append(track.x.count)
        }
        next = index + 1
        track.append(all[index], at: points[index], since: began)
      }
    }
  }
}

extension Picture.Track {
  fileprivate mutating func append(_ fix: Report.TrackPoint, at point: MapPoint, since began: Int64)
  {
    x.append(point.x.toCentimetres)
    y.append(point.y.toCentimetres)
    time.append(fix.timestamp.milliseconds - began)
    speed.append(fix.speed?.toCentimetres)
    accuracy.append(fix.horizontalAccuracy?.toCentimetres)
  }
}

extension Picture.Rejection {
  /// Nil if the receiver told no position.
  fileprivate init?(_ rejection: Report.Rejection, on map: LocalMap, since began: Int64) {
    guard let coordinate = rejection.fix.coordinate else { return nil }
    let point = map.point(of: coordinate)
    let count = rejection.fix.count
    self.init(
      x: point.x.toCentimetres, y: point.y.toCentimetres,
      time: rejection.fix.timestamp.map { $0.milliseconds - began },
      why: rejection.sentence.shown + (count > 1 ? " (\(count) in a row)" : ""))
  }
}

extension Picture.Event {
  fileprivate init(
    _ event: Geofencing.Event, row: Int, on map: LocalMap, since began: Int64
  ) {
    let transition = event.transition
    let point = transition.location.map { map.point(of: $0.coordinate) }
    self.init(
      number: event.sequence, kind: transition.kind.rawValue, row: row,
      time: transition.date.milliseconds - began, x: point?.x.toCentimetres,
      y: point?.y.toCentimetres,
      accuracy: transition.location?.horizontalAccuracy?.toCentimetres)
  }
}
