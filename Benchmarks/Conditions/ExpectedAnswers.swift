/// The known answers for a workload: how many conditions contain its positions, and how often the vehicle enters or
/// leaves one.
///
/// They were found with GeographicLib's geodesic on WGS84, and for the polygons with GEOS. Every program measured here
/// counts the same, or uses a sphere.
struct ExpectedAnswers: Equatable {
  /// The number of conditions that contain a fix, summed over the first 2,000 fixes.
  let trackTotal: Int

  /// The number of conditions that contain a device, summed over the first 1,000 devices.
  let deviceTotal: Int

  /// The same two sums for the polygons with 32 corners.
  let polygonTrackTotal: Int
  let polygonDeviceTotal: Int

  /// The events of the whole track, if the vehicle comes from outside of all conditions.
  let events: Int

  /// The numbers of circles for which the answers are known.
  static let sizes = [100, 10_000, 100_000, 1_000_000]

  private static let even = [
    100: ExpectedAnswers(0, 1, 0, 1, 10), 10_000: ExpectedAnswers(1116, 271, 1114, 269, 1764),
    100_000: ExpectedAnswers(6294, 2804, 6280, 2789, 16_927),
    1_000_000: ExpectedAnswers(60_754, 29_043, 60_568, 28_965, 167_514),
  ]

  private static let city = [
    100: ExpectedAnswers(14_590, 8607, 14_544, 8574, 45_988),
    10_000: ExpectedAnswers(15_526, 10_044, 15_479, 10_017, 60_140),
    100_000: ExpectedAnswers(12_187, 10_209, 12_155, 10_163, 61_872),
    1_000_000: ExpectedAnswers(12_501, 10_502, 12_462, 10_454, 63_306),
  ]

  private init(
    _ trackTotal: Int, _ deviceTotal: Int, _ polygonTrackTotal: Int, _ polygonDeviceTotal: Int,
    _ events: Int
  ) {
    self.trackTotal = trackTotal
    self.deviceTotal = deviceTotal
    self.polygonTrackTotal = polygonTrackTotal
    self.polygonDeviceTotal = polygonDeviceTotal
    self.events = events
  }

  /// The answers for a workload; nil for a size for which they aren't known.
  static func of(_ spread: Workload.Spread, _ count: Int) -> ExpectedAnswers? {
    switch spread {
    case .even: even[count]
    case .city: city[count]
    }
  }
}
