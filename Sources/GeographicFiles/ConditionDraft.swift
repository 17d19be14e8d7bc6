import CommandLineParsing
import Geofencing
import JSONCoding

/// A condition as far as it was read from a file.
///
/// Only its first mistake is kept, so that the rest of the file can be read.
struct ConditionDraft {
  /// The source of the identifier.
  enum Name {
    /// Written as an identifier in the file; it has to be valid.
    case identifier(String)
    /// A name for people, from which the identifier is made.
    case name(String)

    /// An id in the file: one that can't be an identifier counts as a name; nil if it is blank.
    init?(id: String) {
      guard !id.isBlank else { return nil }
      self = Identifier.isValid(id) ? .identifier(id) : .name(id)
    }
  }

  enum Shape {
    case point(Position)
    case polygons([[[Position]]])
    case lines([[Position]])
  }

  var name: Name?
  var shape: Shape?
  private(set) var problem: Mistake?
  /// The first mistake in the shape, regardless of the name and the options.
  private var problemOfShape: Mistake?
  /// The mistakes in the options for the size of a shape, which matter only for some shapes.
  private var problemsOfSize: [PropertyName: Mistake] = [:]
  private var numbers: [PropertyName: Double] = [:]
  private var texts: [PropertyName: String] = [:]

  /// Notes a mistake in the shape.
  mutating func note(_ problem: Mistake) {
    if problemOfShape == nil { problemOfShape = problem }
    noteBeside(problem)
  }

  /// Notes a mistake in something else than the shape: the name or an option.
  mutating func noteBeside(_ problem: Mistake) {
    if self.problem == nil { self.problem = problem }
  }

  /// Notes a mistake in an option; one for the size matters only for shapes that have it.
  private mutating func note(_ problem: Mistake, of property: PropertyName) {
    if property.isOfShape {
      problemsOfSize[property] = problem
    } else {
      noteBeside(problem)
    }
  }

  /// The value of an option for the size; nil if it isn't given.
  private func size(_ property: PropertyName) throws(Mistake) -> Double? {
    if let problem = problemsOfSize[property] { throw problem }
    return numbers[property]
  }

  /// Sets an option that is a number; nil stands for a number out of the range of `Double`.
  mutating func set(_ property: PropertyName, to number: Double?) {
    guard let number else {
      note(Mistake("\"\(property.rawValue)\": the number is out of range"), of: property)
      return
    }
    if numbers.updateValue(number, forKey: property) != nil { noteTwice(property) }
  }

  /// Sets the radius if it isn't set yet.
  mutating func setRadius(toDefault metres: Double) {
    numbers[.radius] = numbers[.radius] ?? metres
  }

  /// Sets an option that is a text in the file.
  mutating func set(_ property: PropertyName, toText text: String) {
    if property.isText {
      if texts.updateValue(text.beginning, forKey: property) != nil { noteTwice(property) }
      return
    }
    switch DecimalText(text) {
    case .number(let number): set(property, to: number)
    case .outOfRange: set(property, to: nil)
    case .notANumber:
      note(
        Mistake(
          "\"\(property.rawValue)\": \(quoted(text)) is no number such as 100 or 0.5"
        ), of: property)
    }
  }

  private mutating func noteTwice(_ property: PropertyName) {
    note(Mistake("\"\(property.rawValue)\" is there twice"), of: property)
  }

  /// Notes that an option has a value of the wrong type.
  mutating func noteWrongType(of property: PropertyName) {
    let type = property.isText ? "text" : "number"
    note(
      Mistake("\"\(property.rawValue)\" is of the wrong type, it should be a \(type)"),
      of: property)
  }

  /// Whether it is a shape of some kind, or can't be read, so that its mistake has to be told.
  func mayBe(_ kind: ConditionsReader.ShapeKind) -> Bool {
    switch shape {
    case .polygons: kind == .polygon
    case .lines: kind == .line
    case .point: false
    case nil: problemOfShape != nil
    }
  }

  /// The command-line option for the size of this shape, if given, and whether the shape has no size of its own.
  func takes(width: Double?, radius: Double?) -> (option: String, isTaken: Bool)? {
    switch shape {
    case .point: radius.map { _ in ("--radius", numbers[.radius] == nil) }
    case .lines: width.map { _ in ("--width", numbers[.width] == nil) }
    case .polygons, nil: nil
    }
  }

  /// The condition; throws its first mistake.
  ///
  /// - Parameters:
  ///   - width: The width of a line that has none, in metres.
  ///   - radius: The radius of a point that has none, in metres.
  ///   - onlyShape: Whether the name and the options are ignored, with their mistakes.
  func condition(width: Double?, radius: Double?, onlyShape: Bool) throws -> Condition {
    if let problem = onlyShape ? problemOfShape : problem { throw problem }
    guard let shape else { throw Mistake("it needs a shape") }
    do {
      let shape = try self.shape(of: shape, width: width, radius: radius)
      guard !onlyShape else { return try Condition(shape: shape) }
      return try Condition(
        shape: shape,
        altitude: AltitudeBand(
          minimum: numbers[.minimumAltitude], maximum: numbers[.maximumAltitude],
          referenceName: texts[.altitudeReference]),
        enterAfter: duration(.enterAfter), exitAfter: duration(.exitAfter),
        confidence: numbers[.confidence], expires: expires())
    } catch let error as ConditionError {
      guard shape.isSwapped else { throw error }
      throw Mistake("\(error); are longitude and latitude the wrong way round?")
    }
  }

  private func shape(
    of shape: Shape, width: Double?, radius: Double?
  ) throws -> Condition.Shape {
    switch shape {
    case .point(let position):
      guard let radius = try size(.radius) ?? radius else {
        throw Mistake("a circle needs \"radius\", its metres, or --radius for all that lack one")
      }
      return .circle(
        try CircularGeographicCondition(center: position.coordinate(), radius: radius))
    case .polygons(let coordinates):
      return .polygon(try PolygonalGeographicCondition(coordinates: coordinates))
    case .lines(let coordinates):
      guard let width = try size(.width) ?? width else {
        throw Mistake(
          "a line needs \"width\", the metres from one side to the other, or --width for all that lack one"
        )
      }
      return .corridor(try CorridorGeographicCondition(coordinates: coordinates, width: width))
    }
  }

  private func duration(_ property: PropertyName) throws -> Duration? {
    try Condition.duration(numbers[property], named: property.rawValue)
  }

  private func expires() throws -> Timestamp? {
    guard let text = texts[.expires] else { return nil }
    guard let date = Timestamp(rfc3339: text) else {
      throw Mistake("\"expires\": '\(shortened(text))' \(Timestamp.mistake(inRFC3339: text))")
    }
    return date
  }
}

extension ConditionDraft.Shape {
  /// The number of positions.
  var positionCount: Int {
    switch self {
    case .point: 1
    case .polygons(let polygons): polygons.reduce(0) { $1.reduce($0) { $0 + $1.count } }
    case .lines(let lines): lines.reduce(0) { $0 + $1.count }
    }
  }

  /// Whether a latitude is out of range, but longitude and latitude would be valid if swapped.
  fileprivate var isSwapped: Bool {
    func isSwapped(_ position: Position) -> Bool {
      let latitude = abs(position.latitude)
      return latitude > 91 && latitude <= 180 && abs(position.longitude) <= 90
    }
    return switch self {
    case .point(let position): isSwapped(position)
    case .polygons(let polygons): polygons.joined().joined().contains(where: isSwapped)
    case .lines(let lines): lines.joined().contains(where: isSwapped)
    }
  }
}
