/// What gpsd makes of a dilution of precision where a receiver gives no error: so many metres for one of 1, less with
/// differential corrections.
enum DilutionOfPrecision {
  /// The radius in metres that holds 95 % of the positions.
  static func horizontalError(_ dilution: Double, isDifferential: Bool) -> Double {
    dilution * (isDifferential ? 4.75 : 19.0)
  }

  /// Metres above and below that hold 95 % of the altitudes.
  static func verticalError(_ dilution: Double, isDifferential: Bool) -> Double {
    dilution * (isDifferential ? 5.75 : 23.0)
  }
}
