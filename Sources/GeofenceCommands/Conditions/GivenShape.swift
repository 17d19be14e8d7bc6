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

  /// The shape that the options give.
  ///
  /// - Parameter here: the location of the receiver, with `--here`.
  /// - Throws: `UsageError` if options don't go together, or what is wrong with the shape.
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

  /// The direction in degrees and the distance in metres from the receiver to the centre of a circle; nil if that is
  /// the receiver's location.
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

  /// The centre of a circle, from the location of the receiver.
  static func center(from here: Coordinate, _ arguments: ParsedArguments) throws -> Coordinate {
    guard let offset = try offset(arguments) else { return here }
    let center = here.moved(by: offset.distance, bearing: offset.bearing)
    // Seven digits are a centimetre, and as many as receivers give.
    return try Coordinate(
      validLatitude: center.latitude.rounded(toPlaces: 7),
      longitude: center.longitude.rounded(toPlaces: 7))
  }

  /// Whether a command line gives a position, and not only a size.
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
    // A width on the command line replaces the one of the file.
    guard case .corridor(let corridor) = shape, let width else { return shape }
    return .corridor(
      try CorridorGeographicCondition(coordinates: corridor.coordinates, width: width))
  }

  /// Refuses the contents of a GeoJSON, KML or GPX file: the option wants the file's name.
  private static func checkIsNoContents(
    _ text: String, of option: String, _ arguments: ParsedArguments
  ) throws {
    let first = text.first { !$0.isWhitespace }
    guard first == "{" || first == "<", unsafe access(text, F_OK) != 0 else { return }
    throw arguments.usageError(
      "--\(option): this is what a \(first == "{" ? "GeoJSON" : "KML or GPX") file holds: give its name"
    )
  }

  /// The words with which well-known text begins, also for shapes that can't be watched.
  private static let geometries = ["POLYGON", "LINESTRING", "POINT", "GEOMETRYCOLLECTION"]

  /// Whether an argument is a shape and not the name of a file.
  private static func isText(_ argument: String) -> Bool {
    guard unsafe access(argument, F_OK) != 0 else { return false }
    let start = argument.drop { $0.isWhitespace }
    let letters = start.prefix { $0.isLetter }
    let next = start.dropFirst(letters.count).first
    let word = letters.uppercased()
    // PostGIS puts the reference system in front. It is refused later, with a message about text.
    if word == "SRID" { return next == "=" }
    // The name of a file may begin with such a word, too: 'polygon.geojson', 'Polygon 1.geojson'.
    let isNamedAsFile = argument.contains(/\.[A-Za-z]+$/)
    // Other words that look like a shape, such as 'CIRCLE (48.2 16.3, 200)', get a message about text.
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
