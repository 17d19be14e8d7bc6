/// What came of some events, either without slow subscribers or with them.
struct Measurement: Sendable {
  /// Which round it belongs to, from 1.
  let round: Int

  /// Whether the two slow subscribers were there.
  let hasSlowOnes: Bool

  /// From the request that causes an event until a subscriber had it: for each event and subscriber.
  let delays: [Duration]

  /// From that request until its answer, for each event: judging, storing, and what the daemon does
  /// meanwhile.
  let answers: [Duration]

  /// The daemon's resident memory afterwards, in KiB.
  let memory: Int
}
