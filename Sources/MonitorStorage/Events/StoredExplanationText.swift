import Geofencing

/// An explanation as it was written beside its event before it was numbers.
///
/// The evidence is a row of values without names for each fix, times are milliseconds from the
/// first, and what is missing at the end of a row is left out.
struct StoredExplanationText: Decodable {
  let explanation: Explanation

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
