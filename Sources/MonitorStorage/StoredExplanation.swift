import Geofencing

/// An explanation, rounded, as it is written beside its event: the same in a third of the space.
///
/// The evidence is a row of values without names for each fix, times are milliseconds from the
/// first, and what is missing at the end of a row is left out. Values are added behind the last one,
/// so that what an older program wrote can be read.
struct StoredExplanation: Codable {
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

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var head = explanation
    head.evidence = []
    let origin = explanation.evidence.lazy.compactMap(\.timestamp).first
    try container.encode(head, forKey: .head)
    try container.encodeIfPresent(origin, forKey: .origin)
    var rows = container.nestedUnkeyedContainer(forKey: .rows)
    for evidence in explanation.evidence {
      var row = rows.nestedUnkeyedContainer()
      let values = Self.values(of: evidence, since: origin)
      let count = values.lastIndex { $0 != .missing }.map { $0 + 1 } ?? 0
      for value in values.prefix(count) { try value.encode(to: &row) }
    }
  }

  /// What a row is made of.
  private enum Value: Equatable {
    case number(Double)
    case milliseconds(Int64)
    case text(String)
    case missing

    init(_ number: Double?) { self = number.map { .number($0) } ?? .missing }
    init(_ text: String?) { self = text.map { .text($0) } ?? .missing }

    func encode(to row: inout any UnkeyedEncodingContainer) throws {
      switch self {
      case .number(let number): try row.encode(number)
      case .milliseconds(let number): try row.encode(number)
      case .text(let text): try row.encode(text)
      case .missing: try row.encodeNil()
      }
    }
  }

  private static func values(
    of evidence: Explanation.Evidence, since origin: Timestamp?
  ) -> [Value] {
    var time = Value.missing
    if let origin, let timestamp = evidence.timestamp {
      time = .milliseconds((timestamp - origin).wholeNanoseconds / 1_000_000)
    }
    return [
      time, Value(evidence.latitude), Value(evidence.longitude),
      Value(evidence.horizontalAccuracy), Value(evidence.speed), Value(evidence.distance),
      Value(evidence.sigma), Value(evidence.probability), Value(evidence.verdict?.rawValue),
      Value(evidence.rejection), Value(evidence.count.map(Double.init)),
      Value(evidence.altitude), Value(evidence.verticalSigma),
    ]
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
