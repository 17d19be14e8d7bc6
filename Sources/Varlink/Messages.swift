import JSONCoding

/// A call in the form in which it is sent.
struct Request<Parameters: Encodable>: Encodable {
  let method: String
  let parameters: Parameters
  var more: Bool?
}

/// The members of a reply other than its parameters.
struct ReplyHead: Decodable {
  let error: String?
  let continues: Bool?
}

/// A reply in the form in which it is sent.
struct Reply<Parameters: Encodable>: Encodable {
  let parameters: Parameters
  var continues: Bool?
}

/// An error in the form in which it is sent.
struct ErrorReply<Parameters: Encodable>: Encodable {
  let error: String
  let parameters: Parameters
}

/// The parameters of a call, a reply or an error; absent ones count as an empty object.
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

/// An empty parameters object, for methods and replies without parameters.
package struct NoParameters: Codable, Hashable, Sendable {
  package init() {}
}
