import Geofencing

/// How the difference of two replays looks to a person.
enum ReplayText {
  /// The lines: `-` happens only before, `+` only after, `~` in both at another time or in another
  /// way; nothing where nothing is different.
  static func lines(_ difference: ReplayDifference, changed: String) -> String {
    guard !difference.isEmpty else { return "" }
    return "--- before\n+++ after: \(changed)\n" + difference.entries.map(line).joined()
  }

  private static func line(_ entry: ReplayDifference.Entry) -> String {
    switch (entry.before, entry.after) {
    case (let before?, let after?):
      return "~" + EventText.line(before).dropLast() + "  -> "
        + change(from: before.transition, to: after.transition) + "\n"
    case (let before?, nil): return "-" + EventText.line(before)
    case (nil, let after?): return "+" + EventText.line(after)
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
        after.bounds.map {
          "between \($0.lowerBound.rfc3339) and \($0.upperBound.rfc3339)"
        } ?? "without bounds")
    }
    return parts.joined(separator: ", ")
  }
}
