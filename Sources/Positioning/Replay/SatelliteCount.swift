/// Counts the satellites of an epoch from GSA and GSV, which come once for each system and signal.
struct SatelliteCount {
  /// How many the position rests on, as GGA or GNS says.
  var used: Int?

  private var usedByGSA = 0
  private var sawGSA = false
  /// The talkers, and how many each sees; a second signal's satellites are the same ones again.
  private var seen: [UInt16: Int] = [:]

  /// Counts the satellites in use of one system.
  mutating func readGSA(_ sentence: NMEASentence) {
    sawGSA = true
    usedByGSA += (3...14).count { !sentence[$0].isEmpty }
  }

  /// Notes how many satellites a system sees.
  mutating func readGSV(_ sentence: NMEASentence) {
    guard let count = sentence.integer(3), count <= 255 else { return }
    seen[sentence.talker] = max(seen[sentence.talker] ?? 0, count)
  }

  /// What was counted since the last time; nil when GSV said nothing.
  mutating func take() -> (used: Int, seen: Int)? {
    defer { self = SatelliteCount() }
    guard !seen.isEmpty else { return nil }
    let total = seen.values.reduce(0, +)
    return (min(sawGSA ? usedByGSA : used ?? 0, total), total)
  }
}
