import CommandLineParsing
import Geofencing

/// The options for sizes that a file of places may not have.
enum FileSizes {
  static let width = Option(
    "width", takes: .number("METRES"), help: "The width of lines that have none in the file.")

  static let radius = Option(
    "radius", short: "r", takes: .number("METRES"),
    help: "The radius of points that have none in the file.")

  /// Checks that they are in range: else each place of the file would seem to be wrong.
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
