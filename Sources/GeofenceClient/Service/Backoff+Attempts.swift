internal import LinuxSystem

extension Backoff {
  /// After how many failures, which take some three seconds, a name is believed to be taken.
  ///
  /// Who held it last, perhaps this very program, may have gone a moment ago.
  static let attemptsAtTakenName = 6

  /// The same where loops that left have cut attempts meanwhile, and so may have been the ones that held it.
  static let attemptsWithLeavingLoops = 60

  /// The waits of programs that lost the service, or that it refused.
  init() { self.init(from: .milliseconds(50), upTo: .seconds(5)) }
}
