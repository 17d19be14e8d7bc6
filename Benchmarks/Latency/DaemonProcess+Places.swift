import BenchmarkSupport
import Foundation
import TestSupport

extension DaemonProcess {
  /// Imports so many circles of 50 to 500 m, in a square of 100 km, with `geofenced ctl import`.
  func importPlaces(_ count: Int) async throws -> Duration {
    try await importPlaces(Self.places(count))
  }

  /// Imports the conditions of a GeoJSON text with `geofenced ctl import`.
  ///
  /// - Returns: The time from that program's start to its end, when all is on the disk.
  func importPlaces(_ text: String) async throws -> Duration {
    let path = folder + "/places.geojson"
    // The file is synced before, so that its writing isn't a part of the measured time.
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileHandle(forUpdating: URL(filePath: path)).synchronize()
    let began = ContinuousClock.now
    let imported = try await ctl("import", path)
    let time = began.duration(to: .now)
    guard imported.status == 0 else { throw BenchmarkFailure(imported.errors) }
    return time
  }

  private static func places(_ count: Int) -> String {
    var generator = SplitMix64(seed: 1)
    let features = (0..<count).map { number in
      """
      {"type":"Feature","id":"c\(number)","properties":\
      {"radius":\(Int.random(in: 50...500, using: &generator))},\
      "geometry":{"type":"Point","coordinates":\
      [\(11.5 + Double.random(in: -0.67...0.67, using: &generator)),\
      \(48.1 + Double.random(in: -0.45...0.45, using: &generator))]}}
      """
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }
}
