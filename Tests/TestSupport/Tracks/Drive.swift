package import Geofencing

/// A straight drive to the east past a row of circles, as NMEA sentences for each epoch.
///
/// It passes through the middle of every circle, so the right events are known beforehand.
package struct Drive: Sendable {
  /// What the receiver sends once a second.
  package struct Epoch: Sendable {
    package let timestamp: Timestamp
    package let sentences: [UInt8]

    package init(timestamp: Timestamp, sentences: [UInt8]) {
      self.timestamp = timestamp
      self.sentences = sentences
    }
  }

  /// The epochs, a second apart.
  package let epochs: [Epoch]

  /// The circles on the way, in the order in which they are passed.
  package let places: [Track.Place]

  /// The time during which it is truly inside each place, by identifier.
  package let visits: [String: ClosedRange<Timestamp>]

  /// The time at which a drive begins by default.
  package static let beginning = Timestamp(rfc3339: "2026-05-01T08:00:00Z")

  /// The default speed, in metres per second.
  package static let speed = 14.0

  /// Makes a drive, at 14 m/s unless another speed is given.
  ///
  /// - Parameters:
  ///   - radii: The radii of the circles, in metres.
  ///   - spacing: Metres between the centres of circles, and before the first and after the last one.
  ///   - speed: Metres per second, after it has sped up.
  ///   - beginning: The time of the first epoch.
  package init(
    past radii: [Double], spacing: Double, speed: Double = Self.speed,
    from beginning: Timestamp? = Self.beginning,
    faults: Receiver.Faults = .none
  ) {
    guard let start = Coordinate(latitude: 48.2, longitude: 16.3), let beginning else {
      preconditionFailure("the drive begins nowhere")
    }
    places = radii.indices.map { index in
      Track.Place(
        identifier: "place-\(index + 1)",
        center: start.moved(by: spacing * Double(index + 1), bearing: 90), radius: radii[index])
    }
    let end = start.moved(by: spacing * Double(radii.count + 1), bearing: 90)
    let track = Track(
      from: start, through: [Track.Waypoint(end, cruise: speed)], acceleration: 3)
    var visits: [String: ClosedRange<Timestamp>] = [:]
    for place in places {
      let inside = track.points.filter {
        $0.coordinate.distance(to: place.center) <= place.radius
      }
      if let first = inside.first, let last = inside.last {
        visits[place.identifier] = (beginning + first.time)...(beginning + last.time)
      }
    }
    self.visits = visits
    var writer = NMEAWriter()
    epochs = Receiver(seed: 7, faults: faults).observe(track, startingAt: beginning).map { fix in
      Epoch(timestamp: fix.timestamp, sentences: writer.sentences(for: fix))
    }
  }

  /// The sentences of all epochs.
  package var sentences: [UInt8] { epochs.flatMap(\.sentences) }

  /// The arguments of `geofenced ctl` that add a place.
  package static func addition(of place: Track.Place) -> [String] {
    [
      "add", "--lat", "\(place.center.latitude)", "--lon", "\(place.center.longitude)", "--radius",
      "\(place.radius)", "--id", place.identifier,
    ]
  }

  /// The places as a conditions file for `geofenced replay`.
  package var geoJSON: String {
    var track = Track(standingAt: places[0].center, for: .zero)
    track.places = places
    return track.geoJSON
  }
}
