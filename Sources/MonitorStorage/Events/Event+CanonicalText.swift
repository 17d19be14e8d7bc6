import Geofencing
import JSONCoding

extension Event {
  /// Its JSON, the same as ``CanonicalJSON`` makes, in less time: everybody waits for the event meanwhile.
  ///
  /// - Throws: `EncodingError` when a number isn't finite.
  func canonicalText() throws -> String {
    var writer = JSONWriter()
    writer.object { writeMembers(to: &$0) }
    return try writer.text() ?? CanonicalJSON.text(self)
  }

  private func writeMembers(to object: inout JSONWriter) {
    if transition.isAccuracyLimited { object.member("accuracyLimited", true) }
    object.member("date", transition.date.rfc3339)
    object.member("distance", transition.distance?.rounded(toPlaces: 3))
    object.member("duration", transition.duration?.inSeconds)
    object.member("earliest", transition.bounds?.lowerBound.rfc3339)
    object.member("identifier", transition.key.identifier)
    object.member("kind", transition.kind.rawValue)
    object.member("latest", transition.bounds?.upperBound.rfc3339)
    if let location = transition.location {
      object.name("location")
      object.object { Self.write(location, to: &$0) }
    }
    object.member("log", log)
    object.member("monitor", transition.key.monitor.name)
    object.member("previousState", transition.previousState.rawValue)
    object.member("probability", transition.probability?.rounded(toPlaces: 6))
    object.member("reason", transition.reason?.rawValue)
    object.member("recorded", recorded?.rfc3339)
    object.member("sequence", Int(sequence))
    object.member("state", transition.state.rawValue)
    if log != nil { object.member("user", Int(transition.key.monitor.user)) }
    object.member("visit", transition.visit?.id)
    object.member("visitBegan", transition.visit?.began.rfc3339)
  }

  /// The part of a location that an event carries.
  private static func write(_ location: Location, to object: inout JSONWriter) {
    object.member("altitude", location.altitude)
    object.member("course", location.course)
    object.member("horizontalAccuracy", location.horizontalAccuracy?.rounded(toPlaces: 3))
    object.member("latitude", location.coordinate.latitude)
    object.member("longitude", location.coordinate.longitude)
    if location.isSimulated { object.member("simulated", true) }
    object.member("speed", location.speed)
  }
}
