/// How far a consumer got that has what it was given on its disk only some time later.
struct SyncingPlace {
  /// The last event that it was given.
  private(set) var given: Int64

  /// The last event that it has on its disk for sure.
  private(set) var synced: Int64

  private let delay: Duration

  /// When it was given that at the latest.
  private var givenAt: Duration

  /// The event that is waited for to be there, and when it was given at the latest.
  private var waiting: (sequence: Int64, since: Duration)?

  /// - Parameter delay: how long it takes at most until an event is on its disk.
  init(given: Int64, synced: Int64, delay: Duration, at now: Duration) {
    (self.given, self.synced, self.delay, givenAt) = (given, synced, delay, now)
    wait()
  }

  /// Takes note that all events up to one were given.
  mutating func give(_ sequence: Int64, at now: Duration) {
    _ = settle(at: now)
    (given, givenAt) = (sequence, now)
    wait()
  }

  /// Takes note of the time; true when ``synced`` has moved.
  mutating func settle(at now: Duration) -> Bool {
    let before = synced
    while let waiting, now - waiting.since >= delay {
      synced = waiting.sequence
      self.waiting = nil
      wait()
    }
    return synced != before
  }

  private mutating func wait() {
    if waiting == nil, given > synced { waiting = (given, givenAt) }
  }
}
