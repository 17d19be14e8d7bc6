import Geofencing
import Positioning

/// The sentences about fixes that were left out, beside their list.
extension ExplanationText {
  /// The reasons for an event, as lines that no list of the fixes follows.
  static func sentences(
    of event: Event, _ explanation: Explanation?, in zone: TimeZone
  ) -> [String] {
    var counts: [String: Int] = [:]
    for fix in explanation?.evidence ?? [] {
      if let code = fix.rejection { counts[code, default: 0] &+= fix.count ?? 1 }
    }
    let lines = lines(of: event, explanation, in: zone)
    guard !counts.isEmpty else { return lines }
    let fixes = Quantity.count(counts.values.reduce(0, &+), "fix", "fixes")
    let reasons = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return lines + ["Left out: \(fixes) (\(reasons.joined(separator: ", ")))."]
  }

  /// The sentence that all fixes since the last usable one were left out; nil if there were none.
  func leftOut(in zone: TimeZone) -> String? {
    guard explanation.evidence.last?.rejection != nil else { return nil }
    guard let last = lastJudged else { return "What came was left out, see below." }
    let line = "What came since the last usable fix was left out, see below."
    guard let row = contradiction(before: explanation.evidence.endIndex) else { return line }
    var text = "\(line) \(Quantity.count(row.count, "fix", "fixes")) contradicted it"
    if let here = last.coordinate, let there = row.last.coordinate {
      let which = row.count > 1 ? "the last of them " : ""
      text += ", \(which)\(Quantity.length(here.distance(to: there))) away"
    }
    text += ". Such fixes count when they have agreed with one another for long enough, at most "
    text += "for JumpSec="
    if row.last.rejection == RejectionReason.impossibleSpeed.rawValue {
      text += ", and if they aren't faster than MaximumSpeed="
    }
    let which = row.count > 1 ? "the first" : "it"
    return text + (row.first.map { "; \(which) was of \($0.text(in: zone))." } ?? ".")
  }

  /// The sentence that fixes like those that decided an event were refused at first; nil if they weren't.
  func refusedAtFirst(in zone: TimeZone) -> String? {
    let evidence = explanation.evidence
    guard let end = evidence.lastIndex(where: \.isContradiction),
      let row = contradiction(before: end + 1), row.count > 1, let there = row.last.coordinate
    else { return nil }
    // The fixes after the refused ones have to agree with each other: else a refused one was just wrong.
    let believed = evidence[(end + 1)...].filter { $0.verdict != nil }
    guard let here = believed.first?.coordinate,
      believed.allSatisfy({ $0.verdict == lastJudged?.verdict })
    else { return nil }
    let before = evidence[..<end].last { $0.verdict != nil }?.coordinate
    if let before, there.distance(to: before) <= there.distance(to: here) { return nil }
    let since = row.first.map { ", from \($0.text(in: zone)) on," } ?? ""
    // It is known when they began only if the fix before them is known.
    let fixes = before == nil ? "Fixes before" : "The \(row.count) fixes before\(since)"
    return "\(fixes) were refused until they had agreed with one another for long enough (at most "
      + "JumpSec=), as they might have been a reflection."
  }

  /// The fixes in a row that were refused because they contradict those before.
  private typealias Contradiction = (first: Timestamp?, last: Explanation.Evidence, count: Int)

  /// Such fixes between an index of the evidence and the last fix before it that was judged, without others that were
  /// left out meanwhile; nil if there are none.
  private func contradiction(before end: Int) -> Contradiction? {
    let row = explanation.evidence[..<end].reversed().prefix { $0.verdict == nil }
      .filter(\.isContradiction)
    guard let last = row.first else { return nil }
    return (row.last?.timestamp, last, row.reduce(0) { $0 &+ ($1.count ?? 1) })
  }
}

extension Explanation.Evidence {
  /// The position that the receiver told; nil if it didn't.
  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Whether it was refused for its position, so that it counts later if others agree with it.
  fileprivate var isContradiction: Bool {
    rejection == RejectedFix.contradictsMotion
      || rejection == RejectionReason.impossibleSpeed.rawValue
  }
}
