import JSONCoding
import LinuxSystem

/// A request message, with the type of its parameters.
struct VarlinkRequest: Sendable {
  let message: [UInt8]
  let description: VarlinkDescription

  /// The type that the parameters must match.
  let expected: VarlinkType

  /// Whether the caller wants no reply; then the request is carried out even if the caller has hung up.
  let isOneway: Bool

  /// Reads the parameters if that takes long, unless the caller has hung up meanwhile.
  let reader: RequestReader
  let socket: StreamSocket

  /// Reads the parameters.
  ///
  /// - Throws: a ``VarlinkError`` that says what is wrong with them.
  func input<Input: Decodable & SendableMetatype>() async throws -> Input {
    message.count < RequestReader.long ? try parameters() : try await reader.input(of: self)
  }

  /// Reads the parameters on the current thread.
  func parameters<Input: Decodable>() throws -> Input {
    if let type = Input.self as? any ScannedParameters.Type,
      let input = type.scanned(from: message) as? Input
    {
      return input
    }
    try description.checkParameters(of: message, against: expected)
    do {
      return try CanonicalJSON.decode(MessageParameters<Input>.self, from: message).value
    } catch let error as DecodingError {
      throw error.asInvalidParameter
    }
  }
}
