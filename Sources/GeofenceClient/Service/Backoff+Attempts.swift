internal import LinuxSystem

extension Backoff {
  /// After how many failures a name is believed to be taken; they take some three seconds.
  ///
  /// Its last holder, perhaps this very program, may have gone only a moment ago.
  static let attemptsAtTakenName = 6

  /// The same in all, when loops that left have interrupted attempts: the holder may have been one of these.
  static let attemptsWithLeavingLoops = 60

  /// The pauses of programs that have lost the service, or were refused.
  init() { self.init(from: .milliseconds(50), upTo: .seconds(5)) }
}
