package import JSONCoding
package import LinuxSystem

/// A connection to a service, on which one call at a time is made.
///
/// It belongs to one task or actor. A call that is cancelled or times out leaves it closed, because
/// the reply may still come.
package final class VarlinkConnection {
  private enum State {
    case idle
    case calling
    case closed
  }

  private let socket: StreamSocket
  private let replyTimeout: Duration?
  private let maximumReplyBytes: Int
  private var frames: FrameBuffer
  private var state = State.idle

  /// How long an answer may take that comes at once.
  package static let usualReplyTimeout = Duration.seconds(30)

  /// A client on a socket that is connected.
  ///
  /// - Parameters:
  ///   - replyTimeout: How long a call waits for its reply, and a stream for one that is prompt; for all
  ///     others a stream waits for ever.
  ///   - maximumReplyBytes: The longest reply that is taken.
  package init(
    _ socket: StreamSocket, replyTimeout: Duration? = usualReplyTimeout,
    maximumReplyBytes: Int = 16 << 20
  ) {
    self.socket = socket
    self.replyTimeout = replyTimeout
    self.maximumReplyBytes = maximumReplyBytes
    frames = FrameBuffer(delimiter: 0, limit: maximumReplyBytes)
  }

  deinit { socket.shutDown() }

  /// Connects to a service's Unix socket.
  ///
  /// - Throws: ``VarlinkConnectionError``, or `CancellationError`.
  package static func connect(
    toPath path: String, replyTimeout: Duration? = usualReplyTimeout
  ) async throws -> sending VarlinkConnection {
    do {
      return VarlinkConnection(
        try await StreamSocket.connect(toPath: path), replyTimeout: replyTimeout)
    } catch let error as Errno {
      throw VarlinkConnectionError(connectingTo: path, error)
    }
  }

  /// Calls a method and waits for its one reply.
  ///
  /// - Throws: the ``VarlinkError`` that the service answers, a ``VarlinkConnectionError``, or
  ///   `CancellationError`.
  package func call<Output: Decodable>(
    _ method: String, _ parameters: some Encodable = NoParameters(),
    returning: Output.Type = Output.self
  ) async throws -> Output {
    try await call(EncodedCall(method, parameters))
  }

  /// A call as it is sent, for who makes one while another is under way.
  package struct EncodedCall: Sendable {
    fileprivate let method: String
    fileprivate let bytes: [UInt8]

    package init(_ method: String, _ parameters: some Encodable) throws {
      self.method = method
      bytes = try CanonicalJSON.encode(Request(method: method, parameters: parameters))
    }

    /// A call whose parameters a closure writes, for those that have very many values.
    ///
    /// - Throws: `EncodingError` for a number that JSON doesn't have, or what the closure throws.
    package init(
      _ method: String, writing parameters: (inout JSONWriter) throws -> Void
    ) throws {
      self.method = method
      var writer = JSONWriter()
      try writer.object { writer in
        writer.member("method", method)
        writer.name("parameters")
        try writer.object(parameters)
      }
      bytes = try writer.written()
    }
  }

  /// Makes a call that was encoded before, and waits for its one reply.
  package func call<Output: Decodable>(
    _ call: EncodedCall
  ) async throws -> Output {
    try await send(call.bytes)
    let (message, continues) = try await nextReply(timeout: replyTimeout)
    if continues { throw close(.malformedReply("more replies than one to \(call.method)")) }
    return try decode(message)
  }

  /// Calls a method with `more`: its replies, as they come.
  ///
  /// The request is sent when the first reply is asked for. Leaving the loop early, or an error,
  /// leaves the connection closed; after the last reply it can be used again.
  ///
  /// - Parameter prompt: which replies come at once, so that a service which doesn't send one in the time
  ///   of a call is given up.
  package func stream<Output: Decodable, Parameters: Encodable>(
    _ method: String, _ parameters: Parameters = NoParameters(),
    returning: Output.Type = Output.self, prompt: VarlinkPromptReplies = .none
  ) -> VarlinkReplySequence<Output, Parameters> {
    VarlinkReplySequence(
      connection: self, request: Request(method: method, parameters: parameters, more: true),
      prompt: prompt, timeout: replyTimeout)
  }

  func send(_ request: Request<some Encodable>) async throws {
    try await send(CanonicalJSON.encode(request))
  }

  private func send(_ message: [UInt8]) async throws {
    switch state {
    case .idle: break
    case .calling: throw VarlinkConnectionError.busy
    case .closed: throw VarlinkConnectionError.closed
    }
    state = .calling
    do {
      try await socket.write(message + [0], timeout: replyTimeout)
    } catch let error as Errno where error == .brokenPipe || error == .connectionReset {
      // A service that turns callers away has said why before it closed.
    } catch {
      throw close(error)
    }
  }

  /// The next reply to the call under way, and whether others follow it.
  func nextReply(timeout: Duration?) async throws -> (message: [UInt8], continues: Bool) {
    guard state == .calling else { throw VarlinkConnectionError.closed }
    let message = try await nextMessage(timeout: timeout)
    // A decoder refuses what is nested 512 deep or more; for less, 64 KiB of stack are enough.
    guard let head = try? CanonicalJSON.decode(ReplyHead.self, from: message) else {
      throw close(.malformedReply("it is not a JSON object"))
    }
    let continues = head.continues ?? false
    if !continues { state = .idle }
    if let name = head.error { throw VarlinkError(name: name, receivedAs: message) }
    return (message, continues)
  }

  /// Whether there is something of the next reply, so that it needn't be waited for long.
  var hasArrived: Bool { frames.holdsPart || socket.isReadable }

  func decode<Output: Decodable>(_ message: [UInt8]) throws -> Output {
    do {
      return try CanonicalJSON.decode(MessageParameters<Output>.self, from: message).value
    } catch {
      throw VarlinkConnectionError.malformedReply("\(error)")
    }
  }

  /// Leaves a call whose replies nobody wants any more.
  func abandonCall() {
    guard state == .calling else { return }
    _ = close(.closed)
  }

  private func nextMessage(timeout: Duration?) async throws -> [UInt8] {
    let deadline = timeout.map { ContinuousClock.now.advanced(by: $0) }
    while true {
      switch frames.next() {
      case .frame(let message): return message
      case .tooLong: throw close(.replyTooLong(maximumBytes: maximumReplyBytes))
      case nil: break
      }
      do {
        let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
        guard let bytes = try await socket.read(timeout: left) else { throw Errno.timedOut }
        if bytes.isEmpty { throw VarlinkConnectionError.closed }
        frames.append(bytes)
      } catch {
        throw close(error)
      }
    }
  }

  private func close(_ error: VarlinkConnectionError) -> any Error {
    close(error as any Error)
  }

  /// Makes the connection unusable; the result is the error to throw.
  private func close(_ error: any Error) -> any Error {
    state = .closed
    socket.shutDown()
    return (error as? Errno).map { VarlinkConnectionError($0) } ?? error
  }
}
