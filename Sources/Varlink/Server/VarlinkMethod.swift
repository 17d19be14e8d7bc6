import JSONCoding

/// The handler of a method.
///
/// Its parameters were checked against the description before. If the `init(from:)` of its `Input` throws, the caller
/// gets `InvalidParameter`, too.
package struct VarlinkMethod: Sendable {
  /// Whether the handler's task is cancelled when a caller that asked for `more` hangs up.
  let endsWithCaller: Bool

  /// Answers a request, and returns the last reply in its encoded form.
  let run:
    @Sendable (_ request: VarlinkRequest, _ call: VarlinkCall, _ replies: ReplyWriter) async throws
      -> [UInt8]

  /// Called for a call that is answered with an error, even if the handler wasn't run.
  var refused: @Sendable (VarlinkCall) -> Void = { _ in }

  /// The same method, with a closure that is called for each call answered with an error.
  package func whenRefused(_ body: @escaping @Sendable (VarlinkCall) -> Void) -> VarlinkMethod {
    var method = self
    method.refused = body
    return method
  }

  /// A method that answers once.
  ///
  /// The handler runs to its end even if the caller hangs up, so that nothing is left half done.
  package static func call<
    Input: Decodable & SendableMetatype, Output: Encodable & SendableMetatype
  >(
    _ body: @escaping @Sendable (Input, VarlinkCall) async throws -> Output
  ) -> VarlinkMethod {
    VarlinkMethod(endsWithCaller: false) { request, call, _ in
      try await encode(body(request.input(), call))
    }
  }

  /// A method that may answer several times, if the caller asked for `more`.
  ///
  /// The handler sends replies and returns the last one. Its task is cancelled when a caller that asked for `more`
  /// hangs up.
  package static func stream<
    Input: Decodable & SendableMetatype, Output: Encodable & SendableMetatype
  >(
    _ body: @escaping @Sendable (Input, VarlinkCall, VarlinkReplies<Output>) async throws -> Output
  ) -> VarlinkMethod {
    stream(body, encode: encode)
  }

  /// The same as `stream`, for replies that are written by themselves only.
  package static func writingStream<
    Input: Decodable & SendableMetatype, Output: WrittenReply & SendableMetatype
  >(
    _ body: @escaping @Sendable (Input, VarlinkCall, VarlinkReplies<Output>) async throws -> Output
  ) -> VarlinkMethod {
    stream(body, encode: write)
  }

  /// A reply in the form in which it is sent; it may write itself.
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
