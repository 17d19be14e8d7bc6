import FoundationEssentials

/// JSON in one form only: sorted keys, no spaces, slashes not escaped.
///
/// So the same value always gives the same bytes.
package enum CanonicalJSON {
  /// The bytes of a value, without a line end.
  ///
  /// - Throws: `EncodingError` for a number that isn't finite, or what the type itself throws.
  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  /// The text of a value.
  package static func text(_ value: some Encodable) throws -> String {
    String(decoding: try encode(value), as: UTF8.self)
  }

  /// Reads a value from the bytes of its JSON.
  ///
  /// - Throws: `DecodingError`, or what the type itself throws.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: some Sequence<UInt8>
  ) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}
