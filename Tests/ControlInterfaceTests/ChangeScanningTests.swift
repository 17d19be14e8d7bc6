import ControlInterface
import Geofencing
import JSONCoding
import TestSupport
import Testing

/// The quick reading of a change says the same as the decoder, or nothing.
@Suite struct `A change that is scanned` {
  private func scanned(_ text: String) throws -> Change.Parameters {
    var scanner = try JSONScanner(Array(text.utf8))
    return try Change.Parameters(from: &scanner)
  }

  private func check(_ text: String) throws {
    let decoded = try CanonicalJSON.decode(Change.Parameters.self, from: text.utf8)
    #expect(try CanonicalJSON.text(scanned(text)) == CanonicalJSON.text(decoded))
  }

  private let circle = #""circle":{"center":{"latitude":47.1,"longitude":-8e-3},"radius":100}"#

  @Test func `is what the decoder makes of it`() throws {
    var shapes = RandomShapes(seed: 5)
    var parameters = Change.Parameters(user: 7, monitor: "m")
    parameters.change = "a1"
    parameters.remove = ["x", "y"]
    parameters.unfinished = true
    parameters.sync = false
    parameters.conditions = []
    for number in 0..<20 {
      let altitude = try AltitudeBand(
        minimum: Double(number), maximum: nil,
        reference: number.isMultiple(of: 2) ? .ellipsoid : .meanSeaLevel)
      parameters.conditions?.append(
        NewCondition(
          identifier: "c\(number)",
          condition: try Condition(
            shape: .polygon(PolygonalGeographicCondition(coordinates: shapes.polygons(.anywhere))),
            altitude: altitude, enterAfter: .milliseconds(number), exitAfter: .seconds(number),
            confidence: 0.9, expires: Timestamp(nanoseconds: 1_767_225_600_123_000_000)),
          assuming: number.isMultiple(of: 3) ? .satisfied : nil))
    }
    try check(try CanonicalJSON.text(parameters))
  }

  @Test(arguments: [
    "{}", #"{"conditions":null,"dryRun":true,"user":null}"#, #"{"conditions":[],"remove":[]}"#,
    #"{"conditions":[{"identifier":"\u00e4","condition":{"corridor":{"width":9,"coordinates":"#
      + #"[[[1,2,3],[4,5,6,7]],[[179,1],[181,2]]]},"altitudeReference":null}}]}"#,
  ])
  func `may say little or much`(text: String) throws { try check(text) }

  @Test func `may have a circle`() throws {
    try check(#"{"conditions":[{"identifier":"a","condition":{\#(circle)},"assuming":null}]}"#)
  }

  /// What only the decoder can tell: which of two counts, or what is wrong.
  @Test(arguments: [
    #"{"user":-1}"#, #"{"user":7.0}"#, #"{"conditions":true[]}"#, #"{"user":false 7}"#,
    #"{"user":true}"#, #"{"sync":1}"#, #"{"monitor":7}"#, #"{"other":1}"#, "[]",
    #"{"other":null}"#, #"{"conditions":[],"other":null}"#,
    #"{"monitor":"a","monitor":"b"}"#, #"{"remove":["a",1]}"#, #"{"conditions":[{}]}"#,
    #"{"conditions":[{"identifier":"a"}]}"#,
    #"{"conditions":[{"identifier":"a","condition":{}}]}"#,
    #"{"conditions":[{"identifier":"a","condition":{"confidence":0.9}}]}"#,
    #"{"conditions":[{"identifier":"a","condition":{"circle":{"radius":1}}}]}"#,
    #"{"conditions":[{"identifier":"a","condition":{"circle":{"center":{"latitude":95,"#
      + #""longitude":0},"radius":1}}}]}"#,
    #"{"conditions":[{"identifier":"a","condition":{"polygon":{"coordinates":[[[[0,0]]]]}}}]}"#,
    #"{"conditions":[{"identifier":"a","condition":{"corridor":{"coordinates":[[[1]]],"#
      + #""width":1}}}]}"#,
    #"{"conditions":[{"identifier":"a","condition":{"corridor":{"width":9,"coordinates":"#
      + #"[[[1,2],[4,5,"six"]]]}}}]}"#,
  ])
  func `gives up on what is out of the ordinary`(text: String) {
    #expect(throws: (any Error).self) { try scanned(text) }
  }

  @Test(arguments: [
    #""polygon":{"coordinates":[]}"#, #""confidence":2"#, #""enterAfter":1e300"#,
    #""expires":"tomorrow""#, #""altitudeReference":"ellipsoid""#, #""altitudeReference":"x""#,
    #""other":null"#,
    #""corridor":{"coordinates":[[[8,47],[9,48]]],"width":9}"#,
  ])
  func `gives up on a circle with something wrong beside it`(other: String) {
    let text = #"{"conditions":[{"identifier":"a","condition":{\#(circle),\#(other)}}]}"#
    #expect(throws: (any Error).self) { try scanned(text) }
  }
}
