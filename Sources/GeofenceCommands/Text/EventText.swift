import Geofencing

/// How an event looks to a person: one line.
enum EventText {
  /// The line, with the columns that all events have in front.
  ///
  /// - Parameters:
  ///   - viewer: Whose conditions need no owner; nil where none does.
  ///   - zone: By which clocks times are told.
  static func line(_ event: Event, to viewer: UInt32? = nil, in zone: TimeZone) -> String {
    let transition = event.transition
    let key = transition.key
    var line = "\(transition.date.text(in: zone))  \("#\(event.sequence)".padded(to: 5))  "
    line += transition.kind.rawValue.padded(to: 12) + "  "
    line += OwnerText.name(
      key.identifier, in: key.monitor.name, of: key.monitor.user, to: viewer)
    let details = Self.details(of: transition, in: zone)
    return line + (details.isEmpty ? "" : "  (\(details.joined(separator: ", ")))") + "\n"
  }

  /// What there is to say about a transition beside its kind and its condition.
  static func details(of transition: Transition, in zone: TimeZone) -> [String] {
    var details: [String] = []
    if transition.kind == .determined { details.append(transition.state.rawValue) }
    if let distance = transition.distance {
      details.append(Quantity.distance(distance))
    }
    if let bounds = transition.bounds {
      details.append(bounds.text(in: zone))
    }
    if let duration = transition.duration { details.append("after \(duration.readable)") }
    if let reason = transition.reason { details.append(reason.rawValue) }
    if transition.location?.isSimulated == true { details.append("simulated") }
    return details
  }
}

extension String {
  /// This text with spaces behind it up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension ClosedRange<Timestamp> {
  /// `between … and …`, by the clocks of a time zone.
  func text(in zone: TimeZone) -> String {
    "between \(lowerBound.text(in: zone)) and \(upperBound.text(in: zone))"
  }
}
