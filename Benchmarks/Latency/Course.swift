import Foundation
import Geofencing
import LinuxSystem
import TestSupport

/// A journey on which each fix causes one event.
///
/// It goes along a meridian, alternately into the middle of a circle and out again, and back the same way.
struct Course {
  /// The number of circles.
  static let circles = 100

  private static let first = (latitude: 48.0, longitude: 11.5)
  private static let step = 0.005
  private static let radius = 100.0
  private static let secondsPerFix: Int64 = 10

  private var index = 0
  private let start = Timestamp.thisSecond

  /// The conditions, as GeoJSON.
  static var places: String {
    let features = (0..<circles).map { circle in
      """
      {"type":"Feature","id":"place-\(circle)","properties":{"radius":\(radius)},"geometry":{"type":"Point",\
      "coordinates":[\(first.longitude),\(latitude(2 * circle))]}}
      """
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  /// The next fix: its time, its latitude, and whether it is on the way north.
  private mutating func advance() -> (time: Timestamp, latitude: Double, isNorthward: Bool) {
    index += 1
    let turn = 2 * (Self.circles - 1)
    let place = index % (2 * turn)
    return (
      start + .seconds(Self.secondsPerFix) * index, Self.latitude(min(place, 2 * turn - place)),
      place != 0 && place <= turn
    )
  }

  /// The latitude after so many steps from the centre of the first circle.
  private static func latitude(_ steps: Int) -> Double { first.latitude + Double(steps) * step }

  /// Writes the circles and the way as a workload for the C program.
  static func write(to folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: nil)
    let circles = (0..<circles).flatMap { [latitude(2 * $0), first.longitude, radius] }
    var course = Course()
    let track = (0..<5000).flatMap { _ in [course.advance().latitude, first.longitude] }
    for (name, numbers) in [("circles", circles), ("track", track), ("points", track)] {
      let words = numbers.map(\.bitPattern.littleEndian)
      try words.withUnsafeBytes {
        try Data($0).write(to: URL(filePath: "\(folder)/\(name).bin"))
      }
    }
  }

  /// Whether no circle was entered yet.
  var isAtStart: Bool { index < 2 }

  /// The next fix as gpsd reports it.
  mutating func report() -> [UInt8] {
    let (time, latitude, isNorthward) = advance()
    return Array(
      """
      {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\(time.rfc3339)","leapseconds":18,\
      "ept":0.005,"lat":\(latitude),"lon":\(Self.first.longitude),"altHAE":567.1230,"altMSL":520.8810,\
      "alt":520.8810,"epx":2.123,"epy":2.456,"epv":4.600,"track":\(isNorthward ? "0.0" : "180.0"),\
      "magtrack":126.7890,"magvar":3.3,"speed":55.600,"climb":0.120,"eps":0.37,"epc":9.20,"eph":3.200,\
      "sep":5.600}\r\n
      """.utf8)
  }

  /// The next fix as the sentences of a receiver.
  mutating func sentences() -> [UInt8] {
    let (time, latitude, isNorthward) = advance()
    let digits = time.rfc3339.split { !$0.isNumber }.map(String.init)
    let clock = digits[3...5].joined() + ".00"
    let date = digits[2] + digits[1] + digits[0].suffix(2)
    func angle(_ degrees: Double, width: Int) -> String {
      let units = Int((degrees * 600_000).rounded())
      return String(
        format: "%0\(width)d%02d.%04d", units / 600_000, units % 600_000 / 10_000, units % 10_000)
    }
    let position = "\(angle(latitude, width: 2)),N,\(angle(Self.first.longitude, width: 3)),E"
    let course = isNorthward ? "0.0" : "180.0"
    return [
      "GPGGA,\(clock),\(position),1,09,0.9,520.9,M,46.2,M,,",
      "GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.7,0.9,1.4",
      "GPRMC,\(clock),A,\(position),108.08,\(course),\(date),,,A",
    ].flatMap { Array((nmea($0) + "\r\n").utf8) }
  }
}

extension Timestamp {
  /// The present time, rounded down to a full second.
  static var thisSecond: Timestamp {
    Timestamp(nanoseconds: SystemClock.nanoseconds / 1_000_000_000 * 1_000_000_000)
  }
}
