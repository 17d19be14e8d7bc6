import JSONCoding
package import LinuxSystem

/// A handler of a method.
///
/// Its parameters have been found to match the description before it is called; an error of its
/// `Input`'s own `init(from:)` reaches the caller as `InvalidParameter` too.
package struct VarlinkMethod: Sendable {
  /// Whether the handler is ended when a caller hangs up that asked for `more`.
  let endsWithCaller: Bool

  /// Answers a request; the result is the last reply, encoded.
  let run:
    @Sendable (_ request: VarlinkRequest, _ call: VarlinkCall, _ replies: ReplyWriter) async throws
      -> [UInt8]

  /// A method that answers once.
  ///
  /// The handler runs to its end even when the caller hangs up, so that nothing is half done.
  package static func call<
    Input: Decodable & SendableMetatype, Output: Encodable & SendableMetatype
  >(
    _ body: @escaping @Sendable (Input, VarlinkCall) async throws -> Output
  ) -> VarlinkMethod {
    VarlinkMethod(endsWithCaller: false) { request, call, _ in
      try await CanonicalJSON.encode(Reply(parameters: body(request.input(), call)))
    }
  }

  /// A method that answers as often as it likes, when the caller asked for `more`.
  ///
  /// The handler sends replies, and returns the last one. Its task is cancelled when a caller hangs up
  /// that asked for `more`.
  package static func stream<
    Input: Decodable & SendableMetatype, Output: Encodable & SendableMetatype
  >(
    _ body: @escaping @Sendable (Input, VarlinkCall, VarlinkReplies<Output>) async throws -> Output
  ) -> VarlinkMethod {
    VarlinkMethod(endsWithCaller: true) { request, call, writer in
      let replies = VarlinkReplies<Output>(call: call, writer: writer)
      return try await CanonicalJSON.encode(
        Reply(parameters: body(request.input(), call, replies)))
    }
  }

}

/// A request message, and what its parameters are to match.
struct VarlinkRequest: Sendable {
  let message: [UInt8]
  let description: VarlinkDescription

  /// The method's name, without that of its interface.
  let method: String

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
    try description.checkInput(message, of: method)
    do {
      return try CanonicalJSON.decode(MessageParameters<Input>.self, from: message).value
    } catch let error as DecodingError {
      throw error.asInvalidParameter
    }
  }
}

/// What a handler knows about a call besides its parameters.
package struct VarlinkCall: Sendable {
  /// The full name of the method.
  package let method: String

  /// Who calls.
  package let peer: PeerCredentials

  /// The connection that it came over.
  package let connection: CallerConnection

  /// Whether the caller takes more than one reply.
  package let wantsMore: Bool

  /// Whether the caller takes no reply at all, not even an error.
  package let isOneway: Bool

  /// Refuses a caller who takes one reply only.
  package func requireMore() throws(VarlinkError) {
    if !wantsMore { throw .expectedMore }
  }
}

/// Sends the replies before the last one.
package struct VarlinkReplies<Output: Encodable>: Sendable {
  let call: VarlinkCall
  let writer: ReplyWriter

  /// Sends a reply that others follow; returns when the system has taken it, so a slow caller
  /// slows the handler down.
  ///
  /// - Throws: `ExpectedMore` when the caller takes one reply only; another error when the caller
  ///   hung up or doesn't read. The handler should let it pass through.
  package func send(_ reply: Output) async throws {
    try call.requireMore()
    try await writer.write(CanonicalJSON.encode(Reply(parameters: reply, continues: true)))
  }
}

extension VarlinkReplies {
  /// How many bytes that the caller hasn't read the system keeps where old replies are worthless: the
  /// fewest that it allows.
  private static var fewestBytes: Int { 4096 }

  /// The same replies for a method of which a slow caller wants the newest: only a few wait to be
  /// read, and one who reads nothing is waited for, because nothing piles up meanwhile.
  ///
  /// It holds for the connection, whose last call this should be.
  package func whereOldOnesAreWorthless() -> VarlinkReplies {
    writer.socket.limitUnread(toBytes: Self.fewestBytes)
    var writer = writer
    writer.timeout = nil
    return VarlinkReplies(call: call, writer: writer)
  }
}

/// Writes encoded messages to a connection.
struct ReplyWriter: Sendable {
  /// The connection can't be written to any more.
  struct ConnectionLost: Error {}

  let socket: StreamSocket

  /// How long the caller may read nothing; nil is for ever.
  var timeout: Duration?

  let memory: MessageMemory.Share

  /// What the caller is told who leaves too much unread.
  let noRoom: VarlinkError

  /// - Throws: ``ConnectionLost``, or ``noRoom`` when nothing was written.
  func write(_ message: [UInt8]) async throws {
    guard memory.hold(message.count) else { throw noRoom }
    defer { _ = memory.hold(0) }
    do {
      try await socket.write(message + [0], timeout: timeout)
    } catch {
      throw ConnectionLost()
    }
  }
}
