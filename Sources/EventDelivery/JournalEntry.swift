package import Geofencing
package import Systemd

/// The journal's form of events.
package enum JournalEntry {
  /// The fields of an event's entry; numbers have as many digits as in its JSON.
  package static func fields(of event: Event, withCoordinates: Bool) -> [Journal.Field] {
    let transition = event.transition
    var fields: [Journal.Field] = [
      ("MESSAGE", sentence(for: transition)),
      ("MESSAGE_ID", messageID(for: transition.kind)),
      ("PRIORITY", "5"),
      ("SYSLOG_IDENTIFIER", "geofenced"),
      ("GEOFENCE_SEQUENCE", String(event.sequence)),
      ("GEOFENCE_USER", String(transition.key.monitor.user)),
      ("GEOFENCE_MONITOR", transition.key.monitor.name),
      ("GEOFENCE_IDENTIFIER", transition.key.identifier),
      ("GEOFENCE_KIND", transition.kind.rawValue),
      ("GEOFENCE_STATE", transition.state.rawValue),
      ("GEOFENCE_PREVIOUS_STATE", transition.previousState.rawValue),
      ("GEOFENCE_DATE", transition.date.rfc3339),
    ]
    func add(_ name: String, _ value: String?) {
      if let value { fields.append((name, value)) }
    }
    add("GEOFENCE_LOG", event.log)
    add("GEOFENCE_RECORDED", event.recorded?.rfc3339)
    add("GEOFENCE_EARLIEST", transition.bounds?.lowerBound.rfc3339)
    add("GEOFENCE_LATEST", transition.bounds?.upperBound.rfc3339)
    add("GEOFENCE_VISIT", transition.visit?.id)
    add("GEOFENCE_DURATION_SEC", transition.duration.map { String($0.inSeconds) })
    add("GEOFENCE_REASON", transition.reason?.rawValue)
    add("GEOFENCE_PROBABILITY", text(transition.probability, places: 6))
    if transition.location?.isSimulated == true { add("GEOFENCE_SIMULATED", "yes") }
    if withCoordinates, let location = transition.location {
      add("GEOFENCE_LATITUDE", String(location.coordinate.latitude))
      add("GEOFENCE_LONGITUDE", String(location.coordinate.longitude))
      add("GEOFENCE_DISTANCE", text(transition.distance, places: 3))
      add("GEOFENCE_ACCURACY", text(location.horizontalAccuracy, places: 3))
    }
    return fields
  }

  private static func text(_ number: Double?, places: Int) -> String? {
    number.map { String($0.rounded(toPlaces: places)) }
  }

  /// The fields of an entry for events that were removed before they were written to the journal.
  package static func fields(of lagged: Lagged) -> [Journal.Field] {
    let count = lagged.events.map { $0 == 1 ? "1 event" : "\($0) events" } ?? "Events"
    var fields: [Journal.Field] = [
      (
        "MESSAGE",
        "\(count) from #\(lagged.first) to #\(lagged.last) left the log before the journal had them"
      ),
      ("MESSAGE_ID", missedMessageID),
      ("PRIORITY", "4"),
      ("SYSLOG_IDENTIFIER", "geofenced"),
      ("GEOFENCE_MISSED_FIRST", String(lagged.first)),
      ("GEOFENCE_MISSED_LAST", String(lagged.last)),
    ]
    if let events = lagged.events { fields.append(("GEOFENCE_MISSED", String(events))) }
    return fields
  }

  /// The fixed message id of entries for removed events.
  package static let missedMessageID = "9d7caa4b6721431d884a9b9df4da169a"

  /// A sentence that tells people what happened.
  package static func sentence(for transition: Transition) -> String {
    let name = transition.key.identifier
    let state = transition.state.rawValue
    return switch transition.kind {
    case .determined: "\(name) is \(state)"
    case .entered: "Entered \(name)"
    case .exited: "Left \(name)"
    case .crossed: "Passed through \(name)"
    case .undetermined: "Lost track of \(name): no fix to judge it by for too long"
    case .unmonitored:
      "\(name) is no longer watched" + (transition.reason.map { " (\($0.rawValue))" } ?? "")
    }
  }

  /// The fixed message id of a kind of event; the message catalogue explains it.
  package static func messageID(for kind: EventKind) -> String {
    switch kind {
    case .determined: "efbf448f8c334fdd8ab3bcf267003a10"
    case .entered: "b5d48424127a49449d2e5b5fea79c90a"
    case .exited: "c91ea9d0dccf49dca738f52a0c1fe4af"
    case .crossed: "7c364c8231c346019d55866807ace978"
    case .undetermined: "321ec8c09511413a810e85bf56ed7cad"
    case .unmonitored: "882e6005bd684f42bbc5f9dc3726b38f"
    }
  }
}
