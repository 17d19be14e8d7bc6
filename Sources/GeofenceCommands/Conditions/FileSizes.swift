import CommandLineParsing
import Geofencing

/// The options for the sizes that a file of places may lack.
enum FileSizes {
  static let width = Option(
    "width", takes: .number("METRES"), help: "The width of lines that have none in the file.")

  static let radius = Option(
    "radius", short: "r", takes: .number("METRES"),
    help: "The radius of points that have none in the file.")

  /// Checks them: with those that are out of range the file has no mistake.
  static func check(_ arguments: ParsedArguments) throws(UsageError) {
    if let radius = arguments.double("radius"),
      !CircularGeographicCondition.radiusRange.contains(radius)
    {
      throw arguments.usageError("--radius: \(ConditionError.radiusOutOfRange(radius))")
    }
    if let width = arguments.double("width"),
      !CorridorGeographicCondition.widthRange.contains(width)
    {
      throw arguments.usageError("--width: \(ConditionError.widthOutOfRange(width))")
    }
  }
}
