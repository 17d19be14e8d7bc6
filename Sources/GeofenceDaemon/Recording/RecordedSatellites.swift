import Positioning

/// What a recording keeps of satellites: a replay judges each position by how many were used, and nothing else of
/// what gpsd tells of them, which may be twenty times as long as the position.
struct RecordedSatellites: Sendable {
  private struct Receiver {
    /// What told of the most since the last position: some receivers tell of each system by itself.
    var untold: (line: [UInt8], used: Int, seen: Int)?

    /// What was last recorded.
    var recorded: (used: Int, seen: Int)?

    /// Whether any was recorded that uses some: from then on each that uses none says something of its position.
    var hasUsedSome = false
  }

  private var receivers = ByReceiver<Receiver>()

  /// Takes what was told of a receiver's satellites, and the line that told it.
  mutating func take(_ line: [UInt8], used: Int, seen: Int, by device: String?) {
    guard used >= receivers[device]?.untold?.used ?? 0 else { return }
    receivers[device, default: Receiver()].untold = (line, used, seen)
  }

  /// The lines that belong in front of a position.
  mutating func takeLines() -> [[UInt8]] {
    var lines: [[UInt8]] = []
    receivers.updateEach { _, receiver in
      guard let (line, used, seen) = receiver.untold else { return }
      receiver.untold = nil
      if used > 0 { receiver.hasUsedSome = true }
      let isNew = receiver.recorded.map { $0 != (used, seen) } ?? true
      guard isNew || used == 0 && receiver.hasUsedSome else { return }
      receiver.recorded = (used, seen)
      lines.append(line)
    }
    return lines
  }

  /// Forgets everything: what comes is another recording, or another gpsd.
  mutating func forget() { receivers.removeAll() }
}
