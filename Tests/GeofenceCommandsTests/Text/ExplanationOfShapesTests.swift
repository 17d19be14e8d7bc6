import Geofencing
import TestSupport
import Testing

@testable import GeofenceCommands

/// How explanations read of what isn't a circle.
@Suite struct `An explanation of a shape` {
  private static let fixTime = at(0)

  private func lines(
    of shape: Condition.Shape, band: AltitudeBand? = nil, accuracy: Double,
    altitude: Double? = nil, inTable: Bool = false
  ) throws -> [String] {
    let condition = try Condition(shape: shape, altitude: band)
    let key = ConditionKey(
      monitor: MonitorKey(user: 1000, name: "default"), identifier: "home")
    var engine = ConditionEngine()
    _ = engine.add(condition, as: key, at: Self.fixTime)
    var fix = Location(
      timestamp: Self.fixTime,
      coordinate: try Coordinate(validLatitude: 48.0001, longitude: 16.0001),
      horizontalAccuracy: accuracy)
    fix.altitude = altitude
    fix.verticalAccuracy = 10
    _ = engine.process(fix)
    let explanation = try #require(engine.explanation(of: key))
    if inTable { return EvidenceText.lines(explanation.rounded, in: .utc) }
    return ExplanationText(explanation.rounded, of: condition).linesOfPresent(
      lastFixAge: 0.5, in: .utc)
  }

  private func square() throws -> Condition.Shape {
    try Shapes.polygon([[(16, 48), (16.0003, 48), (16.0003, 48.0002), (16, 48.0002)]]).shape
  }

  @Test func `says of a polygon that a larger one would do`() throws {
    let lines = try lines(of: square(), accuracy: 15)
    #expect(
      lines[1] == "At this accuracy not even a position in the very centre can be believed to be "
        + "inside: σ is 12 m. A larger shape would help, or a receiver that is more sure.")
  }

  @Test func `says of a corridor which width would do`() throws {
    let corridor = try Shapes.corridor([[(15.99, 48.0001), (16.01, 48.0001)]], width: 20)
    let lines = try lines(of: corridor.shape, accuracy: 15)
    // 2.326 σ on each side hold 98 %.
    #expect(
      lines[1] == "At this accuracy not even a position in the very centre can be believed to be "
        + "inside: the width is 20 m, σ is 12 m. A width of 56 m would help, or a receiver that is "
        + "more sure.")
  }

  @Test(arguments: [nil, 431.0])
  func `has a column for altitudes where there is one`(altitude: Double?) throws {
    let band = try AltitudeBand(minimum: 400, maximum: 440)
    let table = try lines(
      of: square(), band: band, accuracy: 2, altitude: altitude, inTable: true)
    #expect(table.count == 4)
    #expect(table[2].contains("SIGMA  ALTITUDE  ") == (altitude != nil))
    #expect(table[3].contains("  431 m with σ 12 m  76.3 % ") == (altitude != nil), "\(table[3])")
  }

  @Test func `tells the altitude, or that there was none`() throws {
    let band = try AltitudeBand(minimum: 400, maximum: 440)
    #expect(
      try lines(of: square(), band: band, accuracy: 2, altitude: 431) == [
        "Nothing happens because the last fix is too close to the edge for its accuracy: 7.5 m inside "
          + "(position ±2 m, altitude 431 m with σ 12 m), inside with 76.3 %.",
        "At this accuracy not even a position in the very centre can be believed to be inside: σ is "
          + "3 m, and that of the altitude 12 m. A wider altitude band would help, or a receiver that "
          + "is more sure.",
        "It counts as inside at a probability of 98 % or more (Confidence=), and as outside when that of being on the inner side of the nearest edge is at most 2 %.",
      ])
    let both = try AltitudeBand(minimum: 400, maximum: 480)
    #expect(
      try lines(of: square(), band: both, accuracy: 15, altitude: 431)[1].hasSuffix(
        "A larger shape or a wider altitude band would help, or a receiver that is more sure."))
    let open = try AltitudeBand(minimum: 400, maximum: nil)
    #expect(
      try lines(of: square(), band: open, accuracy: 15, altitude: 431)[1].hasSuffix(
        "σ is 12 m. A larger shape would help, or a receiver that is more sure."))
    #expect(
      try lines(of: square(), band: band, accuracy: 2)[0]
        == "Nothing happens because the last fix has no altitude, which the condition's band of "
        + "altitudes asks for: 7.5 m inside ±2 m.")
  }
}
