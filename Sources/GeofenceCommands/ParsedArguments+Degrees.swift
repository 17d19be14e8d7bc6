import CommandLineParsing
import Geofencing

extension ParsedArguments {
  /// The latitude of `--lat` in degrees; nil if it isn't given.
  var latitude: Double? { string("lat").flatMap { Self.degrees($0, .latitude) } }

  /// The longitude of `--lon` in degrees; nil if it isn't given.
  var longitude: Double? { string("lon").flatMap { Self.degrees($0, .longitude) } }

  /// The degrees in a text: a decimal number, or degrees and minutes as on charts.
  fileprivate static func degrees(_ text: String, _ axis: Coordinate.Axis) -> Double? {
    Double(strict: text) ?? Coordinate.degrees(text, axis)
  }
}

extension TextRule {
  /// The rule for an option that takes a latitude or a longitude.
  static func degrees(_ axis: Coordinate.Axis) -> TextRule {
    TextRule("degrees such as 8.25 or 8:15\(axis == .latitude ? "N" : "E")") {
      ParsedArguments.degrees($0, axis) != nil
    }
  }
}
