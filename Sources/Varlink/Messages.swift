import JSONCoding

/// A call as it is sent.
struct Request<Parameters: Encodable>: Encodable {
  let method: String
  let parameters: Parameters
  var more: Bool?
}

/// What a reply says, apart from the parameters.
struct ReplyHead: Decodable {
  let error: String?
  let continues: Bool?
}

/// A reply as it is sent.
struct Reply<Parameters: Encodable>: Encodable {
  let parameters: Parameters
  var continues: Bool?
}

/// An error as it is sent.
struct ErrorReply<Parameters: Encodable>: Encodable {
  let error: String
  let parameters: Parameters
}

/// The parameters of a call, a reply or an error; an absent object counts as an empty one.
struct MessageParameters<Parameters: Decodable>: Decodable {
  let value: Parameters

  private enum CodingKeys: CodingKey {
    case parameters
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    value =
      try container.decodeIfPresent(Parameters.self, forKey: .parameters)
      ?? CanonicalJSON.decode(Parameters.self, from: "{}".utf8)
  }
}

/// A parameters object without members: of a method that has none, or of a reply that says nothing.
package struct NoParameters: Codable, Hashable, Sendable {
  package init() {}
}
