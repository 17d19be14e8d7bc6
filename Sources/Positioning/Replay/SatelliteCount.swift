/// Counts the satellites of an epoch from GSA and GSV, which come once for each system and signal.
struct SatelliteCount {
  /// How many the position rests on, as GGA or GNS says.
  var used: Int?

  /// Whether that was none, the last time that it was said.
  private var restsOnNone = false

  /// How many were used the last time that GGA, GNS or else GSA said so: not each epoch has them.
  private var lastUsed = 0

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

  /// What was counted since the last time.
  ///
  /// It is nil when GSV said nothing, unless the position rests on none, or does so no more: that can't wait.
  mutating func take() -> (used: Int, seen: Int)? {
    let counted = self
    self = SatelliteCount()
    restsOnNone = counted.used.map { $0 == 0 } ?? counted.restsOnNone
    // GSA and GSV may tell of one system of several.
    lastUsed = counted.used ?? (counted.sawGSA ? counted.usedByGSA : counted.lastUsed)
    guard !counted.seen.isEmpty else {
      return counted.restsOnNone || restsOnNone ? counted.used.map { ($0, $0) } : nil
    }
    let total = counted.seen.values.reduce(0, +)
    return (counted.used ?? min(lastUsed, total), max(counted.used ?? 0, total))
  }
}
