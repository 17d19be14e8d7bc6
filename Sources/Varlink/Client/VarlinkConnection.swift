package import JSONCoding
package import LinuxSystem

/// A connection to a service, for one call at a time.
///
/// It belongs to one task or actor. A call that is cancelled or times out closes the connection, because its reply
/// may still come.
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

  /// How long to wait for a reply that the service sends without delay.
  package static let usualReplyTimeout = Duration.seconds(30)

  /// Makes a client on a connected socket.
  ///
  /// - Parameters:
  ///   - replyTimeout: How long a call waits for its reply, and a stream for a prompt reply; nil is without a limit.
  ///     For replies that aren't prompt a stream waits without a limit.
  ///   - maximumReplyBytes: The longest reply that is accepted.
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

  /// Calls a method and waits for its only reply.
  ///
  /// - Throws: the ``VarlinkError`` that the service replies, a ``VarlinkConnectionError``, or
  ///   `CancellationError`.
  package func call<Output: Decodable>(
    _ method: String, _ parameters: some Encodable = NoParameters(),
    returning: Output.Type = Output.self
  ) async throws -> Output {
    try await call(EncodedCall(method, parameters))
  }

  /// A call in its encoded form, for callers that prepare it while another call is under way.
  package struct EncodedCall: Sendable {
    fileprivate let method: String
    fileprivate let bytes: [UInt8]

    package init(_ method: String, _ parameters: some Encodable) throws {
      self.method = method
      bytes = try CanonicalJSON.encode(Request(method: method, parameters: parameters))
    }

    /// Encodes a call whose parameters are written by a closure, for very many values.
    ///
    /// - Throws: `EncodingError` for a number that isn't finite, or what the closure throws.
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

  /// Makes a call that was encoded before, and waits for its only reply.
  package func call<Output: Decodable>(
    _ call: EncodedCall
  ) async throws -> Output {
    try await send(call.bytes)
    let (message, continues) = try await nextReply(timeout: replyTimeout)
    if continues { throw close(.malformedReply("more replies than one to \(call.method)")) }
    return try decode(message)
  }

  /// Calls a method with `more`, and returns its replies as they come.
  ///
  /// The request is sent when the first reply is asked for. The connection is closed if the loop is left early, or
  /// after an error; after the last reply it can be used again.
  ///
  /// - Parameter prompt: The replies that the service sends without delay; if one of them doesn't come within the
  ///   time for a call, that is an error.
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
      // A service that refuses a caller has sent the reason before it closed the connection.
    } catch {
      throw close(error)
    }
  }

  /// The next reply to the current call, and whether others follow it.
  func nextReply(timeout: Duration?) async throws -> (message: [UInt8], continues: Bool) {
    guard state == .calling else { throw VarlinkConnectionError.closed }
    let message = try await nextMessage(timeout: timeout)
    // The decoder refuses messages nested 512 deep or more; for others 64 KiB of stack are enough.
    guard let head = try? CanonicalJSON.decode(ReplyHead.self, from: message) else {
      throw close(.malformedReply("it is not a JSON object"))
    }
    let continues = head.continues ?? false
    if !continues { state = .idle }
    if let name = head.error { throw VarlinkError(name: name, receivedAs: message) }
    return (message, continues)
  }

  /// Whether a part of the next reply is here already, so that the rest should come soon.
  var hasArrived: Bool { frames.holdsPart || socket.isReadable }

  func decode<Output: Decodable>(_ message: [UInt8]) throws -> Output {
    do {
      return try CanonicalJSON.decode(MessageParameters<Output>.self, from: message).value
    } catch {
      throw VarlinkConnectionError.malformedReply("\(error)")
    }
  }

  /// Ends a call whose further replies aren't wanted, by closing the connection.
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

  /// Makes the connection unusable, and returns the error to throw.
  private func close(_ error: any Error) -> any Error {
    state = .closed
    socket.shutDown()
    return (error as? Errno).map { VarlinkConnectionError($0) } ?? error
  }
}
