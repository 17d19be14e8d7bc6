import Geofencing

/// An event as one line for a person.
enum EventText {
  /// The line, which begins with the columns that all events have.
  ///
  /// - Parameters:
  ///   - viewer: The user whose conditions are shown without an owner; nil for all users.
  ///   - zone: The time zone of the times.
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

  /// The details of a transition beside its kind and its condition.
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
  /// This text with spaces after it up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension ClosedRange<Timestamp> {
  /// `between … and …`, in a time zone.
  func text(in zone: TimeZone) -> String {
    "between \(lowerBound.text(in: zone)) and \(upperBound.text(in: zone))"
  }
}
