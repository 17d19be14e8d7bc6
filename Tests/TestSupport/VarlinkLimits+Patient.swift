package import Varlink

extension VarlinkLimits {
  /// The usual limits, except that a caller may take as long as a test may wait.
  package static var patient: VarlinkLimits {
    var limits = VarlinkLimits()
    limits.partialMessageTimeout = .untilItHangs
    limits.writeTimeout = .untilItHangs
    return limits
  }
}
