import Geofencing
import Glibc
import TestSupport

/// The input of all measurements: circles, a vehicle among them, and devices all over.
///
/// It is drawn from the same seeds in the same order each time. With the known answers (``ExpectedAnswers``), the
/// results of different programs can be compared.
struct Workload {
  /// The sets of circles.
  enum Spread: String, Codable, CaseIterable {
    /// Evenly in a square of 100 km.
    case even = "A"

    /// A city in which ten circles cover each position; half of them are around hot spots. From 13,765 circles on, the
    /// others are spread evenly in a square of 1,000 km around it.
    case city = "B"
  }

  /// A circle in degrees and metres.
  struct Circle: Equatable {
    var latitude: Double
    var longitude: Double
    var radius: Double
  }

  /// A position in degrees.
  struct Point: Equatable {
    var latitude: Double
    var longitude: Double
  }

  /// A motion in metres per second, and degrees clockwise from north.
  struct Motion {
    var speed: Double
    var course: Double
  }

  let spread: Spread
  let circles: [Circle]

  /// The fixes of one vehicle, one per second, with a receiver's noise.
  let track: [Point]

  /// The receiver's speed and course for each fix.
  let motions: [Motion]

  /// Positions of devices that are independent of each other.
  let devices: [Point]

  /// The name of a workload, which is also that of its folder.
  static func name(_ spread: Spread, _ count: Int) -> String { "\(spread.rawValue)_\(count)" }

  init(_ spread: Spread, count: Int) {
    self.spread = spread
    let area = Area(spread, count: count)
    circles = Self.circles(spread, count, area)
    let drive = Self.drive(in: area)
    track = drive.map(\.place)
    var noise = SplitMix64(seed: 4)
    motions = drive.map { Self.motion(at: $0.speed, heading: $0.heading, &noise) }
    var random = SplitMix64(seed: 3)
    devices = (0..<10_000).map { _ in
      let x = random.uniform(-area.half...area.half)
      return area.point(x, random.uniform(-area.half...area.half))
    }
  }

  /// The square around 48.1° N, 11.5° E in which the vehicle drives.
  private struct Area {
    /// The number of circles in the square.
    let count: Int
    /// Half the side of the square, in metres.
    let half: Double

    init(_ spread: Spread, count: Int) {
      self.count = spread == .even ? count : min(count, 13_765)
      // The mean area π r² of circles with radii from 50 to 500 m; ten of them cover each position.
      let meanArea = Double.pi * (500.0 * 500 * 500 - 50.0 * 50 * 50) / (3 * 450)
      half = spread == .even ? 50_000 : sqrt(Double(self.count) * meanArea / 10) / 2
    }

    /// The position so many metres east and north of the centre.
    func point(_ x: Double, _ y: Double) -> Point {
      let (latitude, longitude, radius) = (48.1, 11.5, 6_371_008.8)
      return Point(
        latitude: latitude + y / radius * 180 / .pi,
        longitude: longitude + x / (radius * cos(latitude * .pi / 180)) * 180 / .pi)
    }

    /// A coordinate, mirrored at the border until it is inside.
    func reflected(_ value: Double) -> Double {
      var value = value
      while abs(value) > half { value = (value > 0 ? 2 : -2) * half - value }
      return value
    }
  }

  private static func circles(_ spread: Spread, _ count: Int, _ area: Area) -> [Circle] {
    var spotRandom = SplitMix64(seed: 7)
    let spotCount = max(1, Int((sqrt(Double(area.count)) / 2).rounded()))
    let spots = (0..<spotCount).map { _ in
      let x = spotRandom.uniform(-area.half...area.half)
      return (x: x, y: spotRandom.uniform(-area.half...area.half))
    }
    var random = SplitMix64(seed: 1)
    return (0..<count).map { index in
      let radius = random.uniform(50...500)
      let x: Double
      let y: Double
      if spread == .city, index < area.count, !index.isMultiple(of: 2) {
        let spot = spots[Int(random.unit() * Double(spotCount))]
        x = area.reflected(spot.x + 250 * random.normal())
        y = area.reflected(spot.y + 250 * random.normal())
      } else {
        let half = index < area.count ? area.half : 500_000
        x = random.uniform(-half...half)
        y = random.uniform(-half...half)
      }
      let center = area.point(x, y)
      return Circle(latitude: center.latitude, longitude: center.longitude, radius: radius)
    }
  }

  /// A vehicle that stands, moves and turns at random; it is mirrored at the border of the square.
  private static func drive(
    in area: Area
  ) -> [(place: Point, speed: Double, heading: Double)] {
    var random = SplitMix64(seed: 2)
    var (x, y, speed, wanted) = (0.0, 0.0, 0.0, 0.0)
    var heading = random.uniform(0...2 * .pi)
    return (0..<100_000).map { second in
      if second.isMultiple(of: 30) { wanted = random.unit() < 0.15 ? 0 : random.uniform(5...30) }
      speed += min(max(wanted - speed, -3), 2)
      heading += 0.02 * random.normal()
      if random.unit() < 1.0 / 60 { heading += random.unit() < 0.5 ? .pi / 2 : -.pi / 2 }
      x += speed * cos(heading)
      y += speed * sin(heading)
      if abs(x) > area.half {
        x = area.reflected(x)
        heading = .pi - heading
      }
      if abs(y) > area.half {
        y = area.reflected(y)
        heading = -heading
      }
      // The receiver's noise in y is drawn first.
      let northNoise = 1.5 * random.normal()
      return (area.point(x + 1.5 * random.normal(), y + northNoise), speed, heading)
    }
  }

  /// The receiver's speed and course for a velocity; they have an error of 0.1 m/s along each axis.
  ///
  /// The heading is an angle from east towards north.
  private static func motion(
    at speed: Double, heading: Double, _ random: inout SplitMix64
  ) -> Motion {
    let east = speed * cos(heading) + 0.1 * random.normal()
    let north = speed * sin(heading) + 0.1 * random.normal()
    let course = atan2(east, north) * 180 / .pi
    return Motion(speed: hypot(east, north), course: course < 0 ? course + 360 : course)
  }

  /// A circle as a polygon with 32 corners, planar in degrees; the last position repeats the first.
  static func corners(of circle: CircularGeographicCondition) -> [Point] {
    let center = circle.center
    let radians = circle.radius / 6_371_008.8
    let across = radians / cos(center.latitude * .pi / 180)
    return (0...32).map { corner in
      let angle = 2 * .pi * Double(corner % 32) / 32
      return Point(
        latitude: center.latitude + radians * sin(angle) * 180 / .pi,
        longitude: center.longitude + across * cos(angle) * 180 / .pi)
    }
  }
}
