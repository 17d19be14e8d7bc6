/// How long to wait before the next attempt: twice as long each time, up to a limit.
struct Backoff {
  private static let shortest = Duration.milliseconds(50)
  private static let longest = Duration.seconds(5)

  /// After how many failures, which take some three seconds, a name is believed to be taken.
  ///
  /// Who held it last, perhaps this very program, may have gone a moment ago.
  static let attemptsAtTakenName = 6

  /// The same where loops that left have cut attempts meanwhile, and so may have been the ones that held it.
  static let attemptsWithLeavingLoops = 60

  private var delay = Self.shortest

  /// How many attempts failed in a row.
  private(set) var failures = 0

  /// The wait after another failure.
  mutating func next() -> Duration {
    defer { delay = min(delay * 2, Self.longest) }
    failures += 1
    return delay
  }

  /// Begins anew after a success.
  mutating func reset() { self = Backoff() }
}
