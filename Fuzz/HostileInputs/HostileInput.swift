import ControlInterface
import Foundation
import GeofenceCommands
import GeofenceDaemon
import Geofencing
import GeographicFiles
import JSONCoding
import MonitorStorage
import Positioning

/// What comes from outside, each read as the program reads it.
package enum HostileInput: String, CaseIterable, Sendable {
  /// A receiver's: gpsd's JSON, NMEA 0183 or a GPX track, played against circles around its first position.
  case recording

  /// A file of conditions, which then are watched.
  case conditions

  /// A file of settings.
  case configuration

  /// The parameters of `Change`, as they come over the control socket.
  case request

  /// An event as it is stored.
  case event

  /// That two readers of the same text don't agree.
  package struct Disagreement: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads some bytes.
  ///
  /// - Parameter folder: where they are put, if they are those of a file.
  /// - Returns: how many things were found; 0 where they are refused.
  /// - Throws: ``Disagreement``; what can't be written.
  package func read(_ bytes: [UInt8], in folder: String) throws -> Int {
    switch self {
    case .request, .event: break
    case .recording, .conditions, .configuration:
      let path = "\(folder)/\(rawValue)"
      try Data(bytes).write(to: URL(filePath: path))
      return read(file: path)
    }
    if self == .request {
      return try Self.compare(
        try? Change.Parameters(bytes),
        with: try? CanonicalJSON.decode(Change.Parameters.self, from: bytes))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return try Self.compare(
      try? Event(scanning: text), with: try? CanonicalJSON.decode(Event.self, from: text.utf8))
  }

  private func read(file path: String) -> Int {
    switch self {
    case .recording: Self.play(path)
    case .conditions: Self.watch(path)
    case .configuration: Configuration.load(from: path).configuration == nil ? 0 : 1
    case .request, .event: 0
    }
  }

  /// What the fast reader takes, the general one takes for the same; the other way round, it needn't.
  private static func compare<Value: Encodable & SendableMetatype>(
    _ scanned: Value?, with decoded: Value?
  ) throws -> Int {
    guard let scanned else { return decoded == nil ? 0 : 1 }
    let one = try CanonicalJSON.text(scanned)
    let other = try decoded.map { try CanonicalJSON.text($0) }
    guard one == other else {
      throw Disagreement(description: "\(one) was scanned, and \(other ?? "nothing") decoded")
    }
    return 1
  }

  private static func play(_ path: String) -> Int {
    guard let file = try? RecordingFile.open(path) else { return 0 }
    let reader = RecordingReader(file, name: path)
    var events: [SourceEvent] = []
    while let event = reader.next() { events.append(event) }
    var replay = Replay(
      watching: events.lazy.compactMap(\.coordinate).first.map(circles) ?? [],
      configuration: Configuration())
    for event in events { _ = replay.take(event) }
    return events.count { $0.coordinate != nil }
  }

  /// Circles of all sizes beside a place.
  private static func circles(
    beside place: Coordinate
  ) -> [(identifier: String, condition: Condition)] {
    [5.0, 50, 300, 20_000].compactMap { radius in
      let center = place.moved(by: 0.9 * radius, bearing: radius)
      return (try? CircularGeographicCondition(center: center, radius: radius)).map {
        ("c\(radius)", Condition(circle: $0))
      }
    }
  }

  private static func watch(_ path: String) -> Int {
    let reader = ConditionsReader(path: path, width: 20, radius: 50)
    guard let conditions = try? reader.read().conditions else { return 0 }
    var engine = ConditionEngine()
    for (number, named) in conditions.prefix(maximumWatched).enumerated() {
      let key = ConditionKey(
        monitor: MonitorKey(user: 0, name: "hostile"), identifier: named.identifier)
      _ = engine.add(named.condition, as: key, at: Timestamp(nanoseconds: 0))
      guard let place = named.condition.shape.place else { continue }
      for second in 0..<3 {
        _ = engine.process(
          Location(
            timestamp: Timestamp(nanoseconds: 0) + .seconds(3 * number + second),
            coordinate: place.moved(by: 20 * Double(second), bearing: 30), horizontalAccuracy: 5))
      }
    }
    return conditions.count
  }

  /// More says nothing new.
  private static let maximumWatched = 50
}

extension SourceEvent {
  fileprivate var coordinate: Coordinate? {
    guard case .tpv(let report) = self, let latitude = report.latitude,
      let longitude = report.longitude
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}

extension Change.Parameters {
  fileprivate init(_ bytes: [UInt8]) throws {
    var scanner = try JSONScanner(bytes)
    try self.init(from: &scanner)
    guard try scanner.isFinished() else { throw CocoaError(.coderReadCorrupt) }
  }
}

extension Condition.Shape {
  /// Its centre, or a corner of it.
  fileprivate var place: Coordinate? {
    switch self {
    case .circle(let circle): circle.center
    case .polygon(let polygon): try? polygon.coordinates.first?.first?.first?.coordinate()
    case .corridor(let corridor): try? corridor.coordinates.first?.first?.coordinate()
    }
  }
}
