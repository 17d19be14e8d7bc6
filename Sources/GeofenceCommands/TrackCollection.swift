import GeofenceReport
import Geofencing
import Positioning

/// Gathers the fixes of a report as they come, and not more of them than memory holds.
struct TrackCollection {
  private(set) var points: [Report.TrackPoint] = []
  private(set) var rejections: [Report.Rejection] = []

  /// Of how many fixes one is kept: twice as many each time that the limit is reached.
  private(set) var stride = 1

  private var count = 0

  private static let pointLimit = 1 << 20
  private static let rejectionLimit = 20_000

  /// Takes what the pipeline tells.
  mutating func note(_ update: LocationUpdate) {
    for rejection in update.rejections { note(rejection) }
    if let location = update.location { note(Report.TrackPoint(location)) }
  }

  mutating func note(_ point: Report.TrackPoint) {
    defer { count += 1 }
    guard count % stride == 0 || point.followsGap else { return }
    points.append(point)
    guard points.count >= Self.pointLimit else { return }
    stride *= 2
    points = points.enumerated().filter { $0.offset % 2 == 0 || $0.element.followsGap }
      .map(\.element)
  }

  mutating func note(_ rejection: RejectedFix) {
    guard rejections.count < Self.rejectionLimit else { return }
    rejections.append(
      Report.Rejection(fix: rejection, sentence: RejectionText.sentence(rejection.reason)))
  }

  /// What a reader must know of how the fixes were gathered.
  var remarks: [String] {
    stride == 1 ? [] : ["There are so many fixes that one in \(stride) is in this report."]
  }
}

extension Report.TrackPoint {
  /// A fix that was used.
  init(_ location: Location) {
    self.init(
      timestamp: location.timestamp, coordinate: location.coordinate, speed: location.speed,
      horizontalAccuracy: location.horizontalAccuracy,
      followsGap: location.followsDiscontinuity)
  }
}
