import BenchmarkSupport
import Geofencing
import Glibc
import TestSupport

/// A daemon with many conditions, whose use of resources is measured.
final class IdleDaemon {
  let daemon: DaemonProcess
  private let conditions: Int
  private let gpsd: PlayedGPSD

  /// How long `geofenced ctl` took to import the conditions, from its start to its end; zero without conditions.
  private(set) var importTime = Duration.zero

  /// Starts a daemon with so many circles of 50 to 500 m in a square of 100 km.
  ///
  /// - Parameter folder: The folder in which its own folder is made.
  init(conditions: Int, in folder: String) async throws {
    self.conditions = conditions
    gpsd = try PlayedGPSD()
    daemon = try DaemonProcess(
      configuration: DaemonProcess.configuration(
        gpsdPort: gpsd.port,
        more: """
          [Receiver]
          StationarySec=30s
          PauseAfterSec=30s
          [Limits]
          MaximumConditionsPerUser=1000000
          """), in: folder)
    try await daemon.start()
    guard conditions > 0 else { return }
    importTime = try await daemon.importPlaces(conditions)
    // Measure a daemon that has loaded the conditions, not one that has just been given them.
    await daemon.stop()
    try await daemon.start()
    try gpsd.accept()
  }

  /// By how much resident memory falls at least, in KiB, when memory that only the start needed is given back.
  private static let givenBack = 2_048

  /// How long to wait for that.
  private static let patience = Duration.seconds(30)

  /// The resident memory in KiB, after memory that only the start needed was given back.
  func memory() async throws -> Int {
    let process = daemon.identifier ?? 0
    let deadline = ContinuousClock.now + Self.patience
    var (now, most) = (0, 0)
    repeat {
      now = ProcessFigures.memory(of: process)
      most = max(most, now)
      try await ContinuousClock().sleep(for: .milliseconds(50))
    } while now + Self.givenBack > most && ContinuousClock.now < deadline
    return ProcessFigures.memory(of: process)
  }

  /// A report of a position at a time.
  static func report(_ time: Timestamp, latitude: Double, speed: Double) -> [UInt8] {
    Array(
      """
      {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\(time.rfc3339)","lat":\(latitude),\
      "lon":11.5,"alt":520.9,"epx":2.1,"epy":2.4,"epv":4.6,"track":0.0,"speed":\(speed),"eps":0.37,\
      "eph":3.2}\r\n
      """.utf8)
  }

  /// Sends a first fix, by which all conditions are decided, and waits until that is written.
  func settle() async throws {
    let process = daemon.identifier ?? 0
    try gpsd.say(Self.report(Timestamp.thisSecond, latitude: 48.1, speed: 15))
    var quiet = 0
    while quiet < 5 {
      let before = try ProcessFigures.processorTime(of: process)
      try await ContinuousClock().sleep(for: .milliseconds(200))
      let used = try ProcessFigures.processorTime(of: process) - before
      quiet = used < .milliseconds(2) ? quiet + 1 : 0
    }
  }

  /// The resources used while so many fixes per second come from a drive at 15 m/s; with rate 0, while none come.
  func usage(_ situation: String, rate: Int, seconds: Int) async throws -> LatencyResults.Usage {
    let process = daemon.identifier ?? 0
    let began = ContinuousClock.now
    let start = Timestamp.thisSecond
    var before = try ProcessFigures.processorTime(of: process)
    var wakeUps = try ProcessFigures.WakeUps(of: process)
    for second in 0...seconds {
      try await ContinuousClock().sleep(until: began + .seconds(second), tolerance: .zero)
      // In the first second the daemon gets used to the rate.
      try wakeUps.look()
      if second == 1 {
        before = try ProcessFigures.processorTime(of: process)
        wakeUps = try ProcessFigures.WakeUps(of: process)
      }
      for fix in 0..<max(rate, 1) {
        let passed = Double(second) + Double(fix) / Double(max(rate, 1))
        try await ContinuousClock().sleep(until: began + .seconds(passed), tolerance: .zero)
        guard rate > 0 else { continue }
        try gpsd.say(
          Self.report(
            start + .seconds(passed), latitude: 48.1 + passed * 15 / 111_200, speed: 15))
      }
    }
    try await ContinuousClock().sleep(until: began + .seconds(seconds + 1), tolerance: .zero)
    let used = try ProcessFigures.processorTime(of: process) - before
    try wakeUps.look()
    return LatencyResults.Usage(
      situation: situation, conditions: conditions, rate: rate,
      share: used / .seconds(seconds), wakeUps: Double(wakeUps.count) / Double(seconds))
  }

  /// Makes the receiver stand still, in quick motion, until the daemon has released it.
  func rest() async throws {
    let start = Timestamp.thisSecond
    for second in 0..<1000 {
      guard !gpsd.isReleased else { return }
      try? gpsd.say(Self.report(start + .seconds(second), latitude: 48.1, speed: 0))
      try await ContinuousClock().sleep(for: .milliseconds(5))
    }
    throw BenchmarkFailure("no pause: \(daemon.log)")
  }
}
