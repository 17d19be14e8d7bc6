import Foundation

extension Workload {
  /// Writes the files that the programs read: 64-bit numbers, the least significant byte first.
  func write(to folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: nil)
    try Self.write(
      circles.flatMap { [$0.latitude, $0.longitude, $0.radius] }, to: folder + "/circles.bin")
    try Self.write(track.flatMap { [$0.latitude, $0.longitude] }, to: folder + "/track.bin")
    try Self.write(devices.flatMap { [$0.latitude, $0.longitude] }, to: folder + "/points.bin")
  }

  private static func write(_ numbers: [Double], to path: String) throws {
    let words = numbers.map(\.bitPattern.littleEndian)
    try words.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: path)) }
  }
}
