import CommandLineParsing
import Geofencing

extension ParsedArguments {
  /// The latitude that `--lat` says; nil where it isn't given.
  var latitude: Double? { string("lat").flatMap { Self.degrees($0, .latitude) } }

  /// The longitude that `--lon` says; nil where it isn't given.
  var longitude: Double? { string("lon").flatMap { Self.degrees($0, .longitude) } }

  /// The degrees of a decimal number, or of a text as in charts.
  fileprivate static func degrees(_ text: String, _ axis: Coordinate.Axis) -> Double? {
    Double(strict: text) ?? Coordinate.degrees(text, axis)
  }
}

extension TextRule {
  /// A latitude or a longitude.
  static func degrees(_ axis: Coordinate.Axis) -> TextRule {
    TextRule("degrees such as 8.25 or 8:15\(axis == .latitude ? "N" : "E")") {
      ParsedArguments.degrees($0, axis) != nil
    }
  }
}
