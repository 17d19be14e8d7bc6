import Geofencing

/// The difference of two replays as text for a person.
enum ReplayText {
  /// The lines: `-` happens only before, `+` only after, `~` in both at another time or in another way; empty if
  /// nothing is different.
  static func lines(_ difference: ReplayDifference, changed: String) -> String {
    guard !difference.isEmpty else { return "" }
    return "--- before\n+++ after: \(changed)\n" + difference.entries.map(line).joined()
  }

  private static func line(_ entry: ReplayDifference.Entry) -> String {
    switch (entry.before, entry.after) {
    case (let before?, let after?):
      return "~" + EventText.line(before, in: .utc).dropLast() + "  -> "
        + change(from: before.transition, to: after.transition) + "\n"
    case (let before?, nil): return "-" + EventText.line(before, in: .utc)
    case (nil, let after?): return "+" + EventText.line(after, in: .utc)
    case (nil, nil): return ""
    }
  }

  private static func change(from before: Transition, to after: Transition) -> String {
    var parts: [String] = []
    if before.kind != after.kind { parts.append(after.kind.rawValue) }
    if before.date != after.date {
      parts.append(
        "\(after.date.rfc3339) (\(Quantity.shift((after.date - before.date).inSeconds)))")
    }
    if before.bounds != after.bounds {
      parts.append(
        after.bounds.map { $0.text(in: .utc) } ?? "without bounds")
    }
    return parts.joined(separator: ", ")
  }
}
