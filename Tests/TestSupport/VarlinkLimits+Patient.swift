package import Varlink

extension VarlinkLimits {
  /// The usual limits, but with all the time for a caller that a test may take.
  package static var patient: VarlinkLimits {
    var limits = VarlinkLimits()
    limits.partialMessageTimeout = .untilItHangs
    limits.writeTimeout = .untilItHangs
    return limits
  }
}
