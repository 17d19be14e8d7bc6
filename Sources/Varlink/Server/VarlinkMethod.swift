import JSONCoding

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

  /// Is told of a call that is answered with an error, whoever has refused it: often the handler wasn't asked.
  var refused: @Sendable (VarlinkCall) -> Void = { _ in }

  /// The same method, with somebody who is told of calls that are answered with an error.
  package func whenRefused(_ body: @escaping @Sendable (VarlinkCall) -> Void) -> VarlinkMethod {
    var method = self
    method.refused = body
    return method
  }

  /// A method that answers once.
  ///
  /// The handler runs to its end even when the caller hangs up, so that nothing is half done.
  package static func call<
    Input: Decodable & SendableMetatype, Output: Encodable & SendableMetatype
  >(
    _ body: @escaping @Sendable (Input, VarlinkCall) async throws -> Output
  ) -> VarlinkMethod {
    VarlinkMethod(endsWithCaller: false) { request, call, _ in
      try await encode(body(request.input(), call))
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
    stream(body, encode: encode)
  }

  /// The same with replies that can only write themselves.
  package static func writingStream<
    Input: Decodable & SendableMetatype, Output: WrittenReply & SendableMetatype
  >(
    _ body: @escaping @Sendable (Input, VarlinkCall, VarlinkReplies<Output>) async throws -> Output
  ) -> VarlinkMethod {
    stream(body, encode: write)
  }

  /// A reply as it is sent, which may write itself.
  private static func encode(
    _ reply: some Encodable, continues: Bool? = nil
  ) throws -> [UInt8] {
    if let reply = reply as? any WrittenReply { return try write(reply, continues: continues) }
    return try CanonicalJSON.encode(Reply(parameters: reply, continues: continues))
  }

  private static func write(_ reply: some WrittenReply, continues: Bool?) throws -> [UInt8] {
    var message = JSONWriter()
    try message.object { message in
      if let continues { message.member("continues", continues) }
      message.name("parameters")
      try message.object { try reply.write(to: &$0) }
    }
    return try message.written()
  }

  private static func stream<Input: Decodable & SendableMetatype, Output: SendableMetatype>(
    _ body: @escaping @Sendable (Input, VarlinkCall, VarlinkReplies<Output>) async throws -> Output,
    encode: @escaping @Sendable (Output, _ continues: Bool?) throws -> [UInt8]
  ) -> VarlinkMethod {
    VarlinkMethod(endsWithCaller: true) { request, call, writer in
      let replies = VarlinkReplies(call: call, writer: writer, encode: encode)
      return try await encode(body(request.input(), call, replies), nil)
    }
  }
}
