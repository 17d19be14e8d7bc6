import Geofencing
import Glibc
import PlanarGeometry

/// The program `bench-shapes`: how long it takes to judge fixes against a shape with many corners.
package enum ShapeCommand {
  /// Prints a line for each number of corners; returns the exit status.
  package static func run() -> Int32 {
    do {
      print("A coast of so many corners, and a ship that goes along it; in microseconds a fix:")
      for count in [100, 1_000, 10_000, 100_000] { print(try ShapeRun(corners: count).line) }
      return 0
    } catch {
      print("bench-shapes: \(error)")
      return 1
    }
  }
}

/// A ragged island, and a way around it that crosses its coast now and then.
struct ShapeRun {
  private let condition: Condition
  private let ring: [Position]
  private let track: [Location]

  init(corners: Int) throws {
    let (longitude, latitude, size) = (8.0, 54.0, 0.5)
    // A coast bends at all scales.
    func radius(_ angle: Double) -> Double {
      size
        * (1 + 0.2 * sin(5 * angle) + 0.05 * sin(61 * angle) + 0.01 * sin(1009 * angle)
          + 0.001 * sin(20_011 * angle))
    }
    var ring = (0..<corners).map { index in
      let angle = Double(index) / Double(corners) * 2 * .pi
      return Position(
        longitude: longitude + radius(angle) * 1.6 * cos(angle),
        latitude: latitude + radius(angle) * sin(angle))
    }
    ring += ring.prefix(1)
    self.ring = ring
    condition = try Condition(
      shape: .polygon(PolygonalGeographicCondition(coordinates: [[ring]])))
    var track: [Location] = []
    for index in 0..<20_000 {
      let angle = Double(index) / 20_000 * 2 * .pi
      let distance = size * (1.02 + 0.2 * sin(5 * angle) + 0.03 * sin(300 * angle))
      guard
        let coordinate = Coordinate(
          latitude: latitude + distance * sin(angle),
          longitude: longitude + distance * 1.6 * cos(angle))
      else { continue }
      track.append(
        Location(
          timestamp: Timestamp(nanoseconds: Int64(index) * 1_000_000_000), coordinate: coordinate,
          horizontalAccuracy: 5))
    }
    self.track = track
  }

  /// The measured times as a line.
  var line: String {
    get throws {
      var engine = ConditionEngine()
      let key = ConditionKey(monitor: MonitorKey(user: 0, name: "default"), identifier: "coast")
      let adding = processorTime { _ = engine.add(condition, as: key, at: track[0].timestamp) }
      let events = Count()
      let judging = processorTime {
        for fix in track { events.number += engine.process(fix).count }
      }
      let planar = ring.map { PlanarPoint(x: $0.longitude, y: $0.latitude) }
      let polygon = try PreparedPolygons([[planar]])
      let geos = processorTime {
        for fix in track {
          let point = PlanarPoint(x: fix.coordinate.longitude, y: fix.coordinate.latitude)
          events.other += polygon.distance(to: point) + (polygon.contains(point) ? 1 : 0)
        }
      }
      // Looking at every edge takes so long that a part of the way has to do.
      let some = track.indices.filter { $0.isMultiple(of: 1 + ring.count / 10) }
      let everyEdge = processorTime {
        for index in some { events.other += bruteForce(track[index].coordinate) }
      }
      func microseconds(_ duration: Duration, _ count: Int) -> String {
        "\((duration / .microseconds(1) / Double(count) * 10).rounded() / 10)"
      }
      return "\(ring.count - 1) corners: geofenced \(microseconds(judging, track.count)), "
        + "GEOS (contains and distance in degrees) \(microseconds(geos, track.count)), "
        + "every edge \(microseconds(everyEdge, some.count)); "
        + "\(events.number) events, indexed in \(microseconds(adding, 1000)) ms"
    }
  }

  /// The processor time that something takes.
  private func processorTime(_ body: () -> Void) -> Duration {
    let began = clock()
    body()
    return .microseconds(Int64(clock() - began))
  }

  /// Keeps the compiler from leaving out computations whose results nobody uses.
  private final class Count {
    var number = 0
    var other = 0.0
  }

  /// The least distance to an edge in degrees, negative inside.
  private func bruteForce(_ position: Coordinate) -> Double {
    var least = Double.infinity
    var isInside = false
    for (a, b) in zip(ring, ring.dropFirst()) {
      let (dx, dy) = (b.longitude - a.longitude, b.latitude - a.latitude)
      let (x, y) = (position.longitude - a.longitude, position.latitude - a.latitude)
      let share = min(max((x * dx + y * dy) / (dx * dx + dy * dy), 0), 1)
      least = min(least, hypot(x - share * dx, y - share * dy))
      if (a.latitude > position.latitude) != (b.latitude > position.latitude),
        x < dx * y / dy
      {
        isInside.toggle()
      }
    }
    return isInside ? -least : least
  }
}
