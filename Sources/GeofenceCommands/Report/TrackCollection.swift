import GeofenceReport
import Geofencing
import Positioning

/// Gathers the fixes of a report, and keeps only a part of them if they are too many.
struct TrackCollection {
  private(set) var points: [Report.TrackPoint] = []
  private(set) var rejections: [Report.Rejection] = []

  /// One of so many fixes is kept; it doubles each time that the limit is reached.
  private(set) var stride = 1

  private var count = 0

  /// How many rejected fixes aren't in ``rejections``, by the reason in words.
  private(set) var omitted: [String: Int] = [:]

  /// Whether there were more rejected fixes than are kept.
  private var isCut = false

  /// Whether there is a gap before the next fix that is kept.
  private var followsGap = false

  /// The rejected fixes of explanations, and for each row of them the index of its last fix, by its first one.
  private var told: Set<RejectedFix> = []
  private var lasts: [Explanation.Evidence: Int] = [:]

  private let pointLimit: Int
  private static let rejectionLimit = 20_000

  /// An empty collection.
  ///
  /// - Parameter pointLimit: how many fixes are kept at most, an even number.
  init(pointLimit: Int = 1 << 20) { self.pointLimit = pointLimit }

  /// Takes the fixes of an update.
  mutating func note(_ update: LocationUpdate) {
    for rejection in update.rejections { note(rejection) }
    if let location = update.location { note(Report.TrackPoint(location)) }
  }

  /// Takes the evidence of an explanation.
  ///
  /// Explanations may share rejected fixes, and have a row of them at different lengths: each fix is kept once, and the
  /// longest version of a row.
  mutating func note(_ evidence: [Explanation.Evidence]) {
    for (index, fix) in evidence.enumerated() {
      guard let timestamp = fix.timestamp, let coordinate = fix.coordinate else { continue }
      guard let reason = fix.rejection else {
        note(
          Report.TrackPoint(
            timestamp: timestamp, coordinate: coordinate, speed: fix.speed,
            horizontalAccuracy: fix.horizontalAccuracy))
        continue
      }
      var rejection = RejectedFix(
        timestamp: timestamp, coordinate: coordinate,
        horizontalAccuracy: fix.horizontalAccuracy, speed: fix.speed, reason: reason)
      rejection.count = fix.count ?? 1
      guard rejections.count < Self.rejectionLimit else {
        isCut = true
        continue
      }
      guard told.insert(rejection).inserted else { continue }
      if let first = evidence.firstOfRow(endingAt: index) {
        if let place = lasts[first] {
          if rejections[place].fix.count < rejection.count { rejections[place].fix = rejection }
          continue
        }
        lasts[first] = rejections.count
      }
      note(rejection)
    }
  }

  mutating func note(_ point: Report.TrackPoint) {
    defer { count += 1 }
    followsGap = followsGap || point.followsGap
    guard count % stride == 0 else { return }
    points.append(point.after(gap: followsGap))
    followsGap = false
    guard points.count >= pointLimit else { return }
    stride *= 2
    // Of every two fixes the second is dropped; a gap before it is then before the next one.
    let gaps = [false] + points.map(\.followsGap)
    points = points.indices.filter { $0 % 2 == 0 }.map { index in
      points[index].after(gap: gaps[index] || gaps[index + 1])
    }
    followsGap = gaps.last == true
  }

  mutating func note(_ rejection: RejectedFix) {
    let sentence = RejectionText.sentence(rejection.reason)
    guard rejections.count < Self.rejectionLimit else {
      omitted[sentence, default: 0] += rejection.count
      isCut = true
      return
    }
    rejections.append(Report.Rejection(fix: rejection, sentence: sentence))
  }

  /// What the report's reader has to know about how the fixes were gathered.
  var remarks: [String] {
    (stride == 1 ? [] : ["There are so many fixes that one in \(stride) is in this report."])
      + (isCut
        ? [
          "Of the fixes that were left out, the first \(Self.rejectionLimit) are shown one by one."
        ]
        : [])
  }
}

extension Report.TrackPoint {
  /// A fix that was accepted.
  init(_ location: Location) {
    self.init(
      timestamp: location.timestamp, coordinate: location.coordinate, speed: location.speed,
      horizontalAccuracy: location.horizontalAccuracy,
      followsGap: location.followsDiscontinuity)
  }

  /// The same fix, with or without a gap before it.
  fileprivate func after(gap: Bool) -> Self {
    var point = self
    point.followsGap = gap
    return point
  }
}
