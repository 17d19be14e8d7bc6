import Foundation
import Geofencing
import Glibc
import LinuxSystem
import TestSupport

/// A daemon with many conditions, and what it uses.
final class IdleDaemon {
  let daemon: DaemonProcess
  private let conditions: Int
  private let gpsd: PlayedGPSD

  /// Starts a daemon with so many circles of 50 to 500 m in a square of 100 km.
  init(conditions: Int) async throws {
    self.conditions = conditions
    gpsd = try PlayedGPSD()
    daemon = try DaemonProcess(
      configuration: DaemonProcess.configuration(
        gpsdPort: gpsd.port, more: "[Limits]\nMaximumConditionsPerUser=1000000"))
    try await daemon.start()
    guard conditions > 0 else { return }
    var generator = SplitMix64(seed: 1)
    let path = daemon.folder + "/places.geojson"
    try Data(
      ("{\"type\":\"FeatureCollection\",\"features\":["
        + (0..<conditions).map { number in
          """
          {"type":"Feature","id":"c\(number)","properties":\
          {"radius":\(Int.random(in: 50...500, using: &generator))},\
          "geometry":{"type":"Point","coordinates":\
          [\(11.5 + Double.random(in: -0.67...0.67, using: &generator)),\
          \(48.1 + Double.random(in: -0.45...0.45, using: &generator))]}}
          """
        }.joined(separator: ",") + "]}").utf8
    ).write(to: URL(filePath: path))
    let imported = try await Command([
      DaemonProcess.program, "ctl", "--socket", daemon.controlSocket, "import", path,
    ]).run()
    guard imported.status == 0 else {
      throw MeasuredDaemon.Failure(description: imported.errors)
    }
    // One that has loaded them is measured, not one that has just been given them.
    await daemon.stop()
    try await daemon.start()
    try gpsd.accept()
  }

  /// The resident memory, in KiB.
  var memory: Int { ProcessFigures.memory(of: daemon.identifier ?? 0).all }

  /// What it uses while so many fixes a second come from a drive at 15 m/s.
  func usage(rate: Int, seconds: Int) async throws -> LatencyResults.Usage {
    let process = daemon.identifier ?? 0
    let began = ContinuousClock.now
    let start = Timestamp.thisSecond
    var before = try ProcessFigures(of: process)
    for second in 0...seconds {
      // The first second is for getting used to the rate.
      if second == 1 { before = try ProcessFigures(of: process) }
      for fix in 0..<max(rate, 1) {
        let passed = Double(second) + Double(fix) / Double(max(rate, 1))
        try await ContinuousClock().sleep(until: began + .seconds(passed), tolerance: .zero)
        guard rate > 0 else { continue }
        try gpsd.say(
          Array(
            """
            {"class":"TPV","device":"/dev/ttyACM0","mode":3,\
            "time":"\((start + .seconds(passed)).rfc3339)","lat":\(48.1 + passed * 15 / 111_200),\
            "lon":11.5,"alt":520.9,"epx":2.1,"epy":2.4,"epv":4.6,"track":0.0,"speed":15.0,"eps":0.37,\
            "eph":3.2}\r\n
            """.utf8))
      }
    }
    try await ContinuousClock().sleep(until: began + .seconds(seconds + 1), tolerance: .zero)
    let after = try ProcessFigures(of: process)
    return LatencyResults.Usage(
      conditions: conditions, rate: rate,
      share: (after.processorTime - before.processorTime) / .seconds(seconds),
      wakeUps: Double(after.wakeUps - before.wakeUps) / Double(seconds))
  }
}
