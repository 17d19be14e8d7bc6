package import Geofencing

extension DecisionParameters {
  /// The defaults, except that a fix without a speed may be anywhere: most tests leap over a line within a second.
  package static var leaping: DecisionParameters {
    var parameters = DecisionParameters()
    parameters.maximumAcceleration = .infinity
    return parameters
  }
}
