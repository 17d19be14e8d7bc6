@testable import Positioning

/// The events of NMEA sentences, one a line.
func events(_ lines: [String]) -> [SourceEvent] {
  var reader = NMEAReader()
  var events: [SourceEvent] = []
  for line in lines { _ = reader.read(Array(line.utf8)[...], into: &events) }
  reader.finish(into: &events)
  return events
}

/// The epochs of NMEA sentences, one a line.
func epochs(_ lines: [String]) -> [TPV] {
  events(lines).compactMap { if case .tpv(let tpv) = $0 { tpv } else { nil } }
}
