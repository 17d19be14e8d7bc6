@testable import Positioning

/// A fix in the two sentences that most receivers send of it, without their checksums.
let rmc = "GPRMC,132820.60,A,4134.49821229,N,09345.03351845,W,3.252,92.308,180320,11.5,E,D"
let gga =
  "GPGGA,132820.60,4134.49821229,N,09345.03351845,W,2,09,1.0,278.02,M,-31.44,M,7.6,0133"

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
