/// How far a consumer has got that writes events to its disk some time after it got them.
struct SyncingPlace {
  /// The last event that it was given.
  private(set) var given: Int64

  /// The last event that is on its disk for sure.
  private(set) var synced: Int64

  private let delay: Duration

  /// A time by which it had been given that event.
  private var givenAt: Duration

  /// The event that will be on its disk next, and a time by which it had been given.
  private var waiting: (sequence: Int64, since: Duration)?

  /// - Parameter delay: how long it takes at most until an event is on its disk.
  init(given: Int64, synced: Int64, delay: Duration, at now: Duration) {
    (self.given, self.synced, self.delay, givenAt) = (given, synced, delay, now)
    wait()
  }

  /// Notes that it was given all events up to this one.
  mutating func give(_ sequence: Int64, at now: Duration) {
    _ = settle(at: now)
    (given, givenAt) = (sequence, now)
    wait()
  }

  /// Moves ``synced`` on if enough time has passed; true if it did.
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
