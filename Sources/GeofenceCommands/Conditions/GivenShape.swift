import CommandLineParsing
import Geofencing
import GeographicFiles
import Glibc

/// The one shape that a command line gives: a circle by numbers, or a file or well-known text.
enum GivenShape {
  private static let bearingRange = 0.0...360.0
  private static let distanceRange = 0.0...100_000.0

  static let options = [
    Option(
      "lat", takes: .text("DEGREES", .degrees(.latitude)),
      help: "Latitude of a circle's centre, -90 to 90, or as on charts, such as 54:19.5N."),
    Option(
      "lon", takes: .text("DEGREES", .degrees(.longitude)),
      help: "Longitude of a circle's centre, -180 to 180, or as 10:08.4E."),
    Option(
      "here", help: "The receiver's location as a circle's centre; the answer says how sure it is."
    ),
    Option(
      "bearing", takes: .number("DEGREES"),
      help: """
        With --here and --distance: the direction from the receiver to the centre, \(bearingRange.text), \
        clockwise from true north.
        """),
    Option(
      "distance", takes: .number("METRES"),
      help: "With --here and --bearing: how far it is to the centre, \(distanceRange.text)."),
    Option(
      "radius", short: "r", takes: .number("METRES"),
      help: "Radius of a circle, \(CircularGeographicCondition.radiusRange.text)."),
    Option(
      "polygon", takes: .file("FILE|WKT"),
      help: """
        A GeoJSON or KML file with one polygon, or the polygon as well-known text, LON LAT.
        """),
    Option(
      "line", takes: .file("FILE|WKT"),
      help: """
        A GeoJSON, KML or GPX file with one line, or the line as well-known text, LON LAT.
        """),
    Option(
      "width", takes: .number("METRES"),
      help: "From one side of the line to the other, "
        + "\(CorridorGeographicCondition.widthRange.text)."),
  ]

  /// The shape, or the error that says which options don't go together.
  ///
  /// - Parameter here: where the receiver is, for `--here`.
  static func shape(
    _ arguments: ParsedArguments, here: Coordinate? = nil
  ) throws -> Condition.Shape {
    let circle = ["here", "lat", "lon", "radius"].filter(arguments.isGiven)
    let kinds =
      (circle.isEmpty ? [] : ["--\(circle[0])"])
      + ["polygon", "line"].filter(arguments.isGiven).map { "--\($0)" }
    guard kinds.count < 2 else {
      throw arguments.usageError(
        "\(kinds.joined(separator: " and ")) are different shapes: give one")
    }
    if arguments.isGiven("width"), !arguments.isGiven("line") {
      throw arguments.usageError("--width is for --line")
    }
    if let text = arguments.string("polygon") { return try polygon(text, arguments) }
    if let text = arguments.string("line") { return try corridor(text, arguments) }
    guard !circle.isEmpty else {
      throw arguments.usageError(
        "missing a shape: give --lat, --lon and --radius, or --here and --radius, or --polygon, or "
          + "--line and --width")
    }
    return .circle(
      try CircularGeographicCondition(
        center: center(arguments, here: here), radius: arguments.requiredDouble("radius")))
  }

  /// In which direction from the receiver the centre of a circle lies, and how far; nil where it is there.
  static func offset(
    _ arguments: ParsedArguments
  ) throws -> (bearing: Double, distance: Double)? {
    func given(_ option: String, _ unit: String, in range: ClosedRange<Double>) throws -> Double? {
      guard let value = arguments.double(option) else { return nil }
      guard range.contains(value) else {
        throw arguments.usageError(
          "--\(option) wants \(unit) from \(range.text), got \(value.shortest)")
      }
      return value
    }
    let bearing = try given("bearing", "degrees", in: bearingRange)
    let distance = try given("distance", "metres", in: distanceRange)
    guard bearing != nil || distance != nil else { return nil }
    guard arguments.flag("here") else {
      throw arguments.usageError("--bearing and --distance are for --here")
    }
    guard let bearing, let distance else {
      throw arguments.usageError("--bearing and --distance go together: give both")
    }
    return (bearing, distance)
  }

  /// The centre of a circle, by where the receiver is.
  static func center(from here: Coordinate, _ arguments: ParsedArguments) throws -> Coordinate {
    guard let offset = try offset(arguments) else { return here }
    let center = here.moved(by: offset.distance, bearing: offset.bearing)
    // As many digits as receivers give, to a centimetre.
    return try Coordinate(
      validLatitude: center.latitude.rounded(toPlaces: 7),
      longitude: center.longitude.rounded(toPlaces: 7))
  }

  /// Whether a command line says where a shape is, and not only how large.
  static func isPlaced(by arguments: ParsedArguments) -> Bool {
    ["lat", "lon", "polygon", "line"].contains(where: arguments.names)
  }

  private static func center(
    _ arguments: ParsedArguments, here: Coordinate?
  ) throws -> Coordinate {
    guard let here else {
      return try Coordinate(
        validLatitude: arguments.required("lat", arguments.latitude),
        longitude: arguments.required("lon", arguments.longitude))
    }
    guard !arguments.isGiven("lat"), !arguments.isGiven("lon") else {
      throw arguments.usageError("--here is instead of --lat and --lon")
    }
    return here
  }

  private static func read(
    _ text: String, of option: String, _ arguments: ParsedArguments
  ) throws -> ShapeText {
    do {
      return try ShapeText(text)
    } catch {
      let form =
        option == "polygon"
        ? "POLYGON ((LON LAT, …, first again)) or MULTIPOLYGON (((…)), ((…)))"
        : "LINESTRING (LON LAT, LON LAT, …) or MULTILINESTRING ((…), (…))"
      let isCircle = text.uppercased().contains("CIRCLE")
      let circle = isCircle ? "; a circle is --lat, --lon and --radius" : ""
      throw arguments.usageError("--\(option): \(error); write \(form)\(circle)")
    }
  }

  private static func polygon(
    _ text: String, _ arguments: ParsedArguments
  ) throws -> Condition.Shape {
    try checkIsNoContents(text, of: "polygon", arguments)
    if isText(text) {
      guard case .polygons(let coordinates) = try read(text, of: "polygon", arguments) else {
        throw arguments.usageError("--polygon wants a polygon; --line takes lines")
      }
      return .polygon(try PolygonalGeographicCondition(coordinates: coordinates))
    }
    return try only(.polygon, in: text, width: nil)
  }

  private static func corridor(
    _ text: String, _ arguments: ParsedArguments
  ) throws -> Condition.Shape {
    try checkIsNoContents(text, of: "line", arguments)
    if isText(text) {
      guard case .lines(let coordinates) = try read(text, of: "line", arguments) else {
        throw arguments.usageError("--line wants a line; --polygon takes polygons")
      }
      return .corridor(
        try CorridorGeographicCondition(
          coordinates: coordinates, width: arguments.requiredDouble("width")))
    }
    try FileSizes.check(arguments)
    let width = arguments.double("width")
    let shape = try only(.line, in: text, width: width)
    // What is typed comes before what the file says.
    guard case .corridor(let corridor) = shape, let width else { return shape }
    return .corridor(
      try CorridorGeographicCondition(coordinates: corridor.coordinates, width: width))
  }

  /// Refuses what a file of another format than well-known text holds, where its name is wanted.
  private static func checkIsNoContents(
    _ text: String, of option: String, _ arguments: ParsedArguments
  ) throws {
    let first = text.first { !$0.isWhitespace }
    guard first == "{" || first == "<", unsafe access(text, F_OK) != 0 else { return }
    throw arguments.usageError(
      "--\(option): this is what a \(first == "{" ? "GeoJSON" : "KML or GPX") file holds: give its name"
    )
  }

  /// What well-known text begins with, also where it is no shape that can be watched.
  private static let geometries = ["POLYGON", "LINESTRING", "POINT", "GEOMETRYCOLLECTION"]

  /// Whether an argument is a shape itself, and not the name of a file: of such a name there may be one.
  private static func isText(_ argument: String) -> Bool {
    guard unsafe access(argument, F_OK) != 0 else { return false }
    let start = argument.drop { $0.isWhitespace }
    let letters = start.prefix { $0.isLetter }
    let next = start.dropFirst(letters.count).first
    let word = letters.uppercased()
    // What is refused all the same: PostGIS writes the reference system in front.
    if word == "SRID" { return next == "=" }
    // The name of a file may begin with such a word too: 'polygon.geojson', 'Polygon 1.geojson'.
    let isNamedAsFile = argument.contains(/\.[A-Za-z]+$/)
    // What others have besides, as 'CIRCLE (48.2 16.3, 200)'.
    let isLikeText = start.prefixMatch(of: /[A-Za-z]+\s*\([\s(]*[-+]?\d[\d.]*[\s,]/) != nil
    if isLikeText, !isNamedAsFile { return true }
    guard next?.isWhitespace == true && !isNamedAsFile || argument.contains("(") else {
      return false
    }
    return geometries.contains { word.hasPrefix($0) || word.hasPrefix("MULTI\($0)") }
  }

  /// The one shape of a kind in a file.
  private static func only(
    _ kind: ConditionsReader.ShapeKind, in path: String, width: Double?
  ) throws -> Condition.Shape {
    let file = try ConditionsReader(path: path, width: width, onlyShapes: kind).read()
    guard file.conditions.count == 1, let condition = file.conditions.first else {
      throw CommandFailure(
        description: "\(path): this has \(file.conditions.count) \(kind.rawValue)s, and one is "
          + "wanted: 'geofenced ctl import' takes many")
    }
    return condition.condition.shape
  }
}
