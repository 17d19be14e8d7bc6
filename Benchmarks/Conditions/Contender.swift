/// A way to find the conditions that contain a position.
struct Contender: Equatable {
  /// The kind of shapes, and so how exact the answers are.
  enum Shape {
    /// Circles on the ellipsoid, with exact answers.
    case circle
    /// Circles on a sphere, whose distances are up to 0.56 % off.
    case sphericalCircle
    /// Circles as polygons with 32 corners, in degrees.
    case polygon
    /// Decisions with certainty and time, whose events aren't those of entering and leaving.
    case decision
  }

  /// The name under which programs print its results.
  let name: String

  /// The name for people.
  let title: String

  let shape: Shape

  /// All contenders, in the order of the tables.
  static let all = [
    Contender("geofenced-events", "geofenced, containment with events", .circle),
    Contender("geofenced-rule", "geofenced, the full decision rule", .decision),
    Contender(
      "geofenced-rule-motion", "geofenced, the full decision rule, with speeds and courses",
      .decision),
    Contender("limit-events", "C limit, events in every cell", .circle),
    Contender("limit-events-skip", "C limit, events and skip", .circle),
    Contender("limit-stateless", "C limit, containment alone", .circle),
    Contender("limit-compact", "C limit, compact", .circle),
    Contender("s2-cell-index", "S2 cell index", .sphericalCircle),
    Contender("geos-strtree", "GEOS STRtree and geodesic", .circle),
    Contender("sqlite-rtree", "SQLite R*Tree", .sphericalCircle),
    Contender("redis-geosearch", "Redis GEOSEARCH, round trip", .sphericalCircle),
    Contender("redis-pipelined", "Redis GEOSEARCH, 50 on their way", .sphericalCircle),
    Contender("redis-server", "Redis GEOSEARCH, the server's processor time", .sphericalCircle),
    Contender("postgis-circles", "PostGIS ST_DWithin, round trip", .circle),
    Contender("postgis-circles-server", "PostGIS ST_DWithin, the server alone", .circle),
    Contender("geofenced-polygons-rule", "geofenced, polygons, the full decision rule", .decision),
    Contender("limit-polygons", "C limit, polygons", .polygon),
    Contender("geos-polygons", "GEOS STRtree and prepared polygons", .polygon),
    Contender("postgis-polygons", "PostGIS ST_Covers, round trip", .polygon),
    Contender("postgis-polygons-server", "PostGIS ST_Covers, the server alone", .polygon),
  ]

  private init(_ name: String, _ title: String, _ shape: Shape) {
    self.name = name
    self.title = title
    self.shape = shape
  }

  /// What is wrong with the answers of a result, in a few words; nil if nothing is, or if it can't be known.
  func mistake(in result: Result, expecting expected: ExpectedAnswers?) -> String? {
    // Geometry alone can't tell when the rule decides. But a whole drive must have decisions.
    if shape == .decision { return result.note.isEmpty ? nil : result.note }
    guard let expected else { return nil }
    let isPolygon = shape == .polygon
    let pairs = [
      ("fixes", result.trackTotal, isPolygon ? expected.polygonTrackTotal : expected.trackTotal),
      (
        "devices", result.deviceTotal,
        isPolygon ? expected.polygonDeviceTotal : expected.deviceTotal
      ),
      ("events", result.events, expected.events),
    ]
    for case (let what, let answer?, let right) in pairs {
      // On a sphere a radius is up to 0.56 % off, and so an area 1.1 %.
      let tolerance = shape == .sphericalCircle ? max(3, right / 50) : 0
      if abs(answer - right) > tolerance { return "\(what): \(answer), not \(right)" }
    }
    return nil
  }
}
