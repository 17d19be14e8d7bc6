/// The changes to a condition; what is nil stays as it is.
package struct ConditionAdjustment: Codable, Sendable, Hashable {
  /// The members of a condition that may also be removed.
  package enum Option: String, Codable, Sendable, CaseIterable {
    case enterAfter, exitAfter, confidence, minimumAltitude, maximumAltitude, expires

    package init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let name = try container.decode(String.self)
      guard let option = Self(rawValue: name) else {
        let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "use \(names), not \(Identifier.quoted(name))")
      }
      self = option
    }
  }

  /// The latitude of a circle's centre in degrees, −90 to 90.
  package var latitude: Double?

  /// The longitude of a circle's centre in degrees, −180 to 180.
  package var longitude: Double?

  /// The radius of a circle in metres, within ``CircularGeographicCondition/radiusRange``.
  package var radius: Double?

  /// The width of a corridor in metres, within ``CorridorGeographicCondition/widthRange``.
  package var width: Double?

  /// The least altitude in metres, within ``AltitudeBand/altitudeRange``.
  package var minimumAltitude: Double?

  /// The greatest altitude in metres, within ``AltitudeBand/altitudeRange``.
  package var maximumAltitude: Double?

  /// What altitudes are measured from, as ``AltitudeBand/Reference`` calls it.
  package var altitudeReference: String?

  /// How many seconds inside before `entered` is told, within ``Condition/durationRange``.
  package var enterAfter: Double?

  /// How many seconds outside before `exited` is told, within ``Condition/durationRange``.
  package var exitAfter: Double?

  /// The probability from which inside or outside is believed, within ``Condition/confidenceRange``.
  package var confidence: Double?

  /// When the condition ends by itself, by the system's clock.
  package var expires: Timestamp?

  /// The members to remove; nil for none.
  package var reset: Set<Option>?

  package init() {}

  /// Whether it changes nothing.
  package var isEmpty: Bool { self == ConditionAdjustment() }

  /// A condition with the changes.
  ///
  /// - Throws: an error that names a value that is out of range, or that conditions with such a shape don't have.
  package func applied(to old: Condition) throws(ConditionError) -> Condition {
    func value<Value>(
      _ option: Option, _ given: Value?, _ old: Value?
    ) throws(ConditionError) -> Value? {
      guard reset?.contains(option) == true else { return given ?? old }
      if given != nil { throw .givenAndReset(option.rawValue) }
      return nil
    }
    let minimum = try value(.minimumAltitude, minimumAltitude, old.altitude?.minimum)
    let maximum = try value(.maximumAltitude, maximumAltitude, old.altitude?.maximum)
    let reference = minimum ?? maximum == nil ? nil : old.altitude?.reference.rawValue
    return try Condition(
      shape: shape(basedOn: old.shape),
      altitude: AltitudeBand(
        minimum: minimum, maximum: maximum, referenceName: altitudeReference ?? reference),
      enterAfter: value(
        .enterAfter, Condition.duration(enterAfter, named: "enterAfter"), old.enterAfter),
      exitAfter: value(
        .exitAfter, Condition.duration(exitAfter, named: "exitAfter"), old.exitAfter),
      confidence: value(.confidence, confidence, old.confidence),
      expires: value(.expires, expires, old.expires))
  }

  private func shape(basedOn old: Condition.Shape) throws(ConditionError) -> Condition.Shape {
    let ofCircles = [("latitude", latitude), ("longitude", longitude), ("radius", radius)]
    let ofCircle = ofCircles.first { $0.1 != nil }?.0
    switch old {
    case .circle(let circle):
      if width != nil { throw .partOfOtherShape("width", of: "corridors", not: "a circle") }
      return .circle(
        try CircularGeographicCondition(
          center: Coordinate(
            validLatitude: latitude ?? circle.center.latitude,
            longitude: longitude ?? circle.center.longitude), radius: radius ?? circle.radius))
    case .polygon:
      if let ofCircle { throw .partOfOtherShape(ofCircle, of: "circles", not: "a polygon") }
      if width != nil { throw .partOfOtherShape("width", of: "corridors", not: "a polygon") }
      return old
    case .corridor(let corridor):
      if let ofCircle { throw .partOfOtherShape(ofCircle, of: "circles", not: "a corridor") }
      guard let width else { return old }
      return .corridor(
        try CorridorGeographicCondition(coordinates: corridor.coordinates, width: width))
    }
  }
}
