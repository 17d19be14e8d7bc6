import Geofencing
import JSONCoding

/// An explanation, rounded, as it is written beside its event: the same in a third of the space.
///
/// The evidence is a row of values without names for each fix, times are milliseconds from the
/// first, and what is missing at the end of a row is left out. Values are added behind the last one,
/// so that what an older program wrote can be read.
struct StoredExplanation: Decodable {
  let explanation: Explanation

  init(_ explanation: Explanation) {
    self.explanation = explanation
  }

  private enum CodingKeys: String, CodingKey {
    case head
    case origin
    case rows
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var explanation = try container.decode(Explanation.self, forKey: .head)
    let origin = try container.decodeIfPresent(Timestamp.self, forKey: .origin)
    var rows = try container.nestedUnkeyedContainer(forKey: .rows)
    while !rows.isAtEnd {
      var row = try rows.nestedUnkeyedContainer()
      explanation.evidence.append(try Self.evidence(&row, since: origin))
    }
    self.explanation = explanation
  }

  /// Its JSON.
  ///
  /// - Throws: `EncodingError` when a number isn't finite.
  func text() throws -> String {
    var writer = JSONWriter(capacity: 1536)
    let origin = explanation.evidence.lazy.compactMap(\.timestamp).first
    writer.object { object in
      object.name("head")
      object.object { explanation.writeHead(to: &$0) }
      object.member("origin", origin?.rfc3339)
      object.name("rows")
      object.array { rows in
        for evidence in explanation.evidence {
          rows.array { Self.write(evidence, since: origin, to: &$0) }
        }
      }
    }
    guard let text = writer.text() else {
      throw EncodingError.invalidValue(
        explanation, .init(codingPath: [], debugDescription: "a number isn't finite"))
    }
    return text
  }

  private static func write(
    _ evidence: Explanation.Evidence, since origin: Timestamp?, to row: inout JSONWriter
  ) {
    // What is missing is written only when something follows.
    var missing = 0
    func put(_ isThere: Bool, _ write: (inout JSONWriter) -> Void) {
      guard isThere else {
        missing += 1
        return
      }
      for _ in 0..<missing { row.writeNull() }
      missing = 0
      write(&row)
    }
    func put(_ number: Double?) { put(number != nil) { if let number { $0.write(number) } } }
    func put(_ text: String?) { put(text != nil) { if let text { $0.write(text) } } }
    var milliseconds: Int?
    if let origin, let timestamp = evidence.timestamp {
      milliseconds = Int((timestamp - origin).wholeNanoseconds / 1_000_000)
    }
    put(milliseconds != nil) { if let milliseconds { $0.write(milliseconds) } }
    put(evidence.latitude)
    put(evidence.longitude)
    put(evidence.horizontalAccuracy)
    put(evidence.speed)
    put(evidence.distance)
    put(evidence.sigma)
    put(evidence.probability)
    put(evidence.verdict?.rawValue)
    put(evidence.rejection)
    put(evidence.count.map(Double.init))
    put(evidence.altitude)
    put(evidence.verticalSigma)
  }

  private static func evidence(
    _ row: inout any UnkeyedDecodingContainer, since origin: Timestamp?
  ) throws -> Explanation.Evidence {
    func number() throws -> Double? { row.isAtEnd ? nil : try row.decodeIfPresent(Double.self) }
    func text() throws -> String? { row.isAtEnd ? nil : try row.decodeIfPresent(String.self) }
    var evidence = Explanation.Evidence(timestamp: nil)
    if let milliseconds = row.isAtEnd ? nil : try row.decodeIfPresent(Int64.self) {
      evidence.timestamp = origin.map { $0 + .milliseconds(milliseconds) }
    }
    evidence.latitude = try number()
    evidence.longitude = try number()
    evidence.horizontalAccuracy = try number()
    evidence.speed = try number()
    evidence.distance = try number()
    evidence.sigma = try number()
    evidence.probability = try number()
    evidence.verdict = try text().flatMap(Judgement.Verdict.init)
    evidence.rejection = try text()
    evidence.count = try number().flatMap { Int(exactly: $0) }
    evidence.altitude = try number()
    evidence.verticalSigma = try number()
    return evidence
  }
}

extension Explanation {
  /// Writes all of it but the evidence, of which the decoder wants to see a list.
  fileprivate func writeHead(to object: inout JSONWriter) {
    object.member("candidate", candidate?.rawValue)
    object.member("confidence", confidence)
    object.member("date", date?.rfc3339)
    object.name("evidence")
    object.array { _ in }
    object.member("fixes", fixes)
    object.member("fixesNeeded", fixesNeeded)
    object.member("isAccuracyLimited", isAccuracyLimited)
    object.member("outcome", outcome.rawValue)
    object.member("previousState", previousState.rawValue)
    object.member("seconds", seconds)
    object.member("secondsNeeded", secondsNeeded)
    object.member("state", state.rawValue)
    object.member("unknownAfterSeconds", unknownAfterSeconds)
  }
}
