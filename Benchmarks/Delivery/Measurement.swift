/// The figures for some events, with or without slow subscribers.
struct Measurement: Sendable {
  /// The round, counted from 1.
  let round: Int

  /// Whether the two slow subscribers were there.
  let hasSlowOnes: Bool

  /// The time from the request that causes an event until a subscriber gets it, for each event and subscriber.
  let delays: [Duration]

  /// The time from that request until its answer, for each event: for judging, storing, and whatever else the daemon
  /// does meanwhile.
  let answers: [Duration]

  /// The daemon's resident memory at the end, in KiB.
  let memory: Int
}
