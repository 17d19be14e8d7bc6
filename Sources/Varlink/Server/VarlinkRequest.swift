import JSONCoding
import LinuxSystem

/// A request message, and what its parameters are to match.
struct VarlinkRequest: Sendable {
  let message: [UInt8]
  let description: VarlinkDescription

  /// What the parameters are to be.
  let expected: VarlinkType

  /// Whether it is done with also where the caller has gone, as nobody waits for a reply.
  let isOneway: Bool

  /// Reads the parameters where that takes long, unless the caller has gone meanwhile.
  let reader: RequestReader
  let socket: StreamSocket

  /// The parameters.
  ///
  /// - Throws: the ``VarlinkError`` that says what is wrong with them.
  func input<Input: Decodable & SendableMetatype>() async throws -> Input {
    message.count < RequestReader.long ? try parameters() : try await reader.input(of: self)
  }

  /// The parameters, read at once.
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
