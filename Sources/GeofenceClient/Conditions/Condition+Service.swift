internal import Geofencing

/// A kind of condition that the service knows.
protocol ServiceCondition: Condition {
  /// The shape as a type of the engine.
  ///
  /// - Throws: a `ConditionError` that says which number is wrong.
  var shape: Geofencing.Condition.Shape { get throws }

  /// Between which altitudes; nil is any.
  var altitude: AltitudeBand? { get set }
}

extension CircularGeographicCondition: ServiceCondition {
  var shape: Geofencing.Condition.Shape {
    get throws {
      .circle(
        try Geofencing.CircularGeographicCondition(
          center: Geofencing.Coordinate(
            validLatitude: center.latitude, longitude: center.longitude),
          radius: radius))
    }
  }

  fileprivate init(_ circle: Geofencing.CircularGeographicCondition) {
    self.init(center: Coordinate(circle.center), radius: circle.radius)
  }
}

extension PolygonalGeographicCondition: ServiceCondition {
  var shape: Geofencing.Condition.Shape {
    get throws {
      .polygon(
        try Geofencing.PolygonalGeographicCondition(
          coordinates: try polygons.enumerated().map { number, polygon in
            try ([polygon.exterior] + polygon.holes).enumerated().map { ring, corners in
              try Self.closed(corners, named: "polygon \(number + 1), ring \(ring + 1)")
            }
          }))
    }
  }

  /// A ring as in RFC 7946, with its first position again at the end.
  private static func closed(_ corners: [Coordinate], named name: String) throws -> [Position] {
    var positions = corners.map(\.position)
    if positions.count > 1, positions.first == positions.last { positions.removeLast() }
    guard let first = positions.first, positions.count >= 3 else {
      throw ConditionError.shapeInvalid(
        "\(name) has \(positions.count) \(positions.count == 1 ? "corner" : "corners"): give at least 3"
      )
    }
    return positions + [first]
  }

  fileprivate init(_ polygon: Geofencing.PolygonalGeographicCondition) {
    self.init(
      polygons: polygon.polygons.map { rings in
        let corners = rings.map { ring in ring.dropLast().map { Coordinate($0) } }
        return Polygon(exterior: corners.first ?? [], holes: Array(corners.dropFirst()))
      })
  }
}

extension CorridorGeographicCondition: ServiceCondition {
  var shape: Geofencing.Condition.Shape {
    get throws {
      .corridor(
        try Geofencing.CorridorGeographicCondition(
          coordinates: lines.map { $0.map(\.position) }, width: width))
    }
  }

  fileprivate init(_ corridor: Geofencing.CorridorGeographicCondition) {
    self.init(lines: corridor.lines.map { $0.map { Coordinate($0) } }, width: corridor.width)
  }
}

extension Coordinate {
  fileprivate var position: Position { Position(longitude: longitude, latitude: latitude) }

  fileprivate init(_ coordinate: Geofencing.Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}

extension AltitudeBand {
  fileprivate var band: Geofencing.AltitudeBand {
    get throws {
      try Geofencing.AltitudeBand(
        minimum: minimum, maximum: maximum,
        reference: reference == .ellipsoid ? .ellipsoid : .meanSeaLevel)
    }
  }

  fileprivate init(_ band: Geofencing.AltitudeBand) {
    self.init(
      minimum: band.minimum, maximum: band.maximum,
      reference: band.reference == .ellipsoid ? .ellipsoid : .meanSeaLevel)
  }
}

extension Geofencing.Condition {
  /// A program's condition as a type of the engine.
  ///
  /// - Throws: ``MonitorError``, which says what would be right.
  init(_ condition: any Condition) throws(MonitorError) {
    guard let known = condition as? any ServiceCondition else {
      throw .conditionUnsupported(
        "\(type(of: condition)) is no kind of condition that the service knows; "
          + "use a CircularGeographicCondition, a PolygonalGeographicCondition or a "
          + "CorridorGeographicCondition")
    }
    let options = known.options
    do {
      let expires = try options.expires.map { date in
        guard let expires = Timestamp(date) else {
          throw MonitorError.conditionInvalid(
            "expires is out of range: give a date between 1678 and 2262")
        }
        return expires
      }
      try self.init(
        shape: known.shape, altitude: known.altitude?.band, enterAfter: options.enterAfter,
        exitAfter: options.exitAfter,
        confidence: options.confidence, expires: expires)
    } catch let error as MonitorError {
      throw error
    } catch {
      throw .conditionInvalid("\(error)")
    }
  }

  /// The condition as a program sees it.
  var publicCondition: any Condition {
    var condition: any ServiceCondition =
      switch shape {
      case .circle(let circle): CircularGeographicCondition(circle)
      case .polygon(let polygon): PolygonalGeographicCondition(polygon)
      case .corridor(let corridor): CorridorGeographicCondition(corridor)
      }
    condition.altitude = altitude.map { AltitudeBand($0) }
    condition.options = ConditionOptions(
      enterAfter: enterAfter, exitAfter: exitAfter, confidence: confidence,
      expires: expires?.date)
    return condition
  }
}

extension ConditionAdjustment {
  /// The adjustment that gives a condition these options, and resets those that are nil.
  ///
  /// - Throws: ``MonitorError``, which says what would be right.
  init(_ options: ConditionOptions) throws(MonitorError) {
    self.init()
    // Checked with a circle, as the ranges are the same for all kinds of conditions.
    var any = CircularGeographicCondition(center: Coordinate(latitude: 0, longitude: 0), radius: 1)
    any.options = options
    let condition = try Geofencing.Condition(any)
    enterAfter = condition.enterAfter?.inSeconds
    exitAfter = condition.exitAfter?.inSeconds
    confidence = condition.confidence
    expires = condition.expires
    let given: [Option: Bool] = [
      .enterAfter: enterAfter != nil, .exitAfter: exitAfter != nil,
      .confidence: confidence != nil, .expires: expires != nil,
    ]
    reset = Set(given.filter { !$0.value }.keys)
  }
}
