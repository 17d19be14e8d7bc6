import Geofencing

extension Track {
  /// The ready-made journeys.
  package enum Scenario: String, CaseIterable, Sendable {
    /// Ten minutes by car from home to work, past three other places.
    case city

    /// Twenty minutes in one place.
    case parked

    /// A quarter of an hour on foot, round a block and home again.
    case walk

    /// Along the 180th meridian, across it and back.
    case antimeridian

    /// South of the equator and west of Greenwich: both signs negative.
    case southwest
  }

  /// Makes a ready-made journey, the same for the same seed.
  package init(_ scenario: Scenario, seed: UInt64) {
    switch scenario {
    case .city: self = .cityDrive(seed: seed)
    case .parked: self = .parked(seed: seed)
    case .walk: self = .walk(seed: seed)
    case .antimeridian:
      self = .cityDrive(seed: seed, from: -16.8, 179.9985)
    case .southwest:
      self = .cityDrive(seed: seed, from: -34.6037, -58.3816)
    }
  }

  /// A drive through the streets of a town laid out in blocks.
  ///
  /// It leaves `home`, passes `school`, `market` and `station`, and parks at `office`: each of them is entered, left,
  /// or both. On the way there are turns, red lights, and slow and fast streets.
  package static func cityDrive(
    seed: UInt64, from latitude: Double = 37.5665, _ longitude: Double = 126.9780
  ) -> Track {
    guard let home = Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("a scenario begins off the globe")
    }
    var random = SplitMix64(seed: seed)
    let grid = random.uniform(0...90)
    let names = ["school", "market", "station"]
    var places = [Place(identifier: "home", center: home, radius: 100)]
    var waypoints: [Waypoint] = []
    var here = home
    var heading = 0
    var isFirstStreet = true
    for stretch in 0...names.count {
      // Between two places lie some 1,200 metres of streets: five to seven blocks.
      for block in 0..<Int(random.uniform(5...7.99)) {
        if !isFirstStreet, block > 0, random.chance(0.4) {
          // It never goes back: the headings stay in one quadrant, so the places are far apart.
          heading = heading == 0 ? 1 : 0
        }
        isFirstStreet = false
        here = here.moved(by: random.uniform(140...240), bearing: grid + 90 * Double(heading))
        let cruise = random.uniform(9...15)
        if random.chance(0.18) {
          let red = random.uniform(8...35)
          waypoints.append(Waypoint(here, cruise: cruise, wait: .milliseconds(Int(red * 1000))))
        } else {
          waypoints.append(Waypoint(here, cruise: cruise, arrival: random.uniform(4...8)))
        }
      }
      let isLast = stretch == names.count
      places.append(
        Place(
          identifier: isLast ? "office" : names[stretch],
          // Beside the street, as houses are.
          center: here.moved(by: random.uniform(5...20), bearing: random.uniform(0...360)),
          radius: random.uniform(90...140).rounded()))
    }
    if let last = waypoints.indices.last {
      waypoints[last] = Waypoint(here, cruise: waypoints[last].cruise, wait: .seconds(60))
    }
    var track = Track(from: home, through: waypoints, standingFirst: .seconds(40))
    track.places = places
    return track
  }

  /// A parked car, 120 metres from the edge of a condition, which it never crosses.
  package static func parked(seed: UInt64) -> Track {
    guard let spot = Coordinate(latitude: 52.5163, longitude: 13.3777) else {
      preconditionFailure("a scenario begins off the globe")
    }
    var random = SplitMix64(seed: seed)
    var track = Track(standingAt: spot, for: .seconds(1200))
    track.places = [
      Place(identifier: "garage", center: spot, radius: 120),
      Place(
        identifier: "neighbour", center: spot.moved(by: 300, bearing: random.uniform(0...360)),
        radius: 100),
    ]
    return track
  }

  /// A walk from a house, round a large block, and back.
  package static func walk(seed: UInt64) -> Track {
    guard let house = Coordinate(latitude: -33.8568, longitude: 151.2153) else {
      preconditionFailure("a scenario begins off the globe")
    }
    var random = SplitMix64(seed: seed)
    let grid = random.uniform(0...360)
    var here = house
    var waypoints: [Waypoint] = []
    for side in 0..<4 {
      // Opposite sides are equally long, so the way ends where it began.
      let length = side % 2 == 0 ? 320.0 : 240.0
      here = here.moved(by: length, bearing: grid + 90 * Double(side))
      waypoints.append(Waypoint(here, cruise: random.uniform(1.2...1.6), arrival: 0.8))
    }
    waypoints.append(Waypoint(house, cruise: 1.3, wait: .seconds(120)))
    var track = Track(
      from: house, through: waypoints, acceleration: 0.6, standingFirst: .seconds(60))
    track.places = [
      Place(identifier: "house", center: house, radius: 60),
      Place(identifier: "kiosk", center: house.moved(by: 320, bearing: grid), radius: 60),
    ]
    return track
  }

  /// The places as a GeoJSON FeatureCollection of circles, as `geofenced replay` reads it.
  package var geoJSON: String {
    let features = places.map { place in
      """
      {"type": "Feature", "id": "\(place.identifier)", \
      "geometry": {"type": "Point", \
      "coordinates": [\(place.center.longitude), \(place.center.latitude)]}, \
      "properties": {"radius": \(place.radius)}}
      """
    }
    return """
      {"type": "FeatureCollection", "features": [
        \(features.joined(separator: ",\n  "))
      ]}

      """
  }
}
