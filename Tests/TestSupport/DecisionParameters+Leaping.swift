package import Geofencing

extension DecisionParameters {
  /// The defaults, but that a fix without a speed may lie anywhere: most tests leap over a line within a
  /// second.
  package static var leaping: DecisionParameters {
    var parameters = DecisionParameters()
    parameters.maximumAcceleration = .infinity
    return parameters
  }
}
