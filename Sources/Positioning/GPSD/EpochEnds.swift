/// When the epochs of each receiver are complete: as soon as its rhythm says so, or when nothing more came.
///
/// Several receivers tell theirs at the same time, a part of the one between parts of the other.
struct EpochEnds {
  typealias Instant = ContinuousClock.Instant

  private struct Receiver {
    var gap: EpochGap
    var rhythm = EpochRhythm()

    /// When the epoch under way is complete, and whether the report that this counts from had a time.
    var end: Instant?
    var isDated = false

    mutating func take(_ report: TPV, now: Instant) -> Bool {
      let wait = gap.take(report, now: now)
      guard !rhythm.take(report) else {
        end = nil
        return true
      }
      // Without a time it may be of any epoch: many such, one soon after the other, end one too.
      if report.time != nil || end == nil {
        end = now + wait
        isDated = report.time != nil
      }
      return false
    }
  }

  private let settings: GPSDSettings
  private var receivers = ByReceiver<Receiver>()

  init(_ settings: GPSDSettings) { self.settings = settings }

  /// When the next epoch is complete; nil where none is under way.
  var next: Instant? { receivers.all.compactMap { $0.end }.min() }

  /// Takes a report that was read just now; whether its receiver's epoch is complete with it.
  mutating func take(_ report: TPV, now: Instant) -> Bool {
    receivers[report.device, default: Receiver(gap: EpochGap(settings))].take(report, now: now)
  }

  /// Takes note of a receiver's satellites: they come among the reports of an epoch.
  mutating func takeSky(of device: String?, now: Instant) {
    guard let receiver = receivers[device], let end = receiver.end, receiver.isDated else { return }
    receivers[device]?.end = max(end, now + settings.epochGap)
  }

  /// The receivers whose epochs are complete by now; with nil, those that have one under way.
  mutating func complete(by now: Instant?) -> [String?] {
    var complete: [String?] = []
    receivers.updateEach { device, receiver in
      guard let end = receiver.end, now.map({ end <= $0 }) ?? true else { return }
      receiver.end = nil
      complete.append(device)
    }
    return complete
  }
}
