import LinuxSystem

/// One connection, on the server's side.
struct VarlinkSession {
  let server: VarlinkServer
  let socket: StreamSocket
  let user: UInt32

  private let connection = CallerConnection()
  private let memory: MessageMemory.Share
  private let reader: RequestReader

  private var limits: VarlinkLimits { server.limits }

  private var writer: ReplyWriter {
    ReplyWriter(
      socket: socket, timeout: limits.writeTimeout,
      memory: MessageMemory.Share(of: server.memory, user: user),
      noRoom: server.noRoom(forUser: user))
  }

  /// An error after which the rest of the byte stream can't be understood.
  private struct Fatal: Error {
    let error: VarlinkError
  }

  init(server: VarlinkServer, socket: StreamSocket, user: UInt32) {
    self.server = server
    self.socket = socket
    self.user = user
    memory = MessageMemory.Share(of: server.memory, user: user)
    reader = server.readers.shared(by: user)
  }

  /// Answers requests until the caller hangs up, breaks the rules, or the task is cancelled.
  func run() async {
    var frames = FrameBuffer(delimiter: 0, limit: limits.maximumMessageBytes)
    var tooSoon: TooSoon?
    defer { socket.shutDown() }
    do {
      while !Task.isCancelled, let message = try await nextMessage(from: &frames) {
        try hold(message.count + frames.count)
        guard try await answer(message, after: &tooSoon) else { return }
        try hold(frames.count)
        // If the next request is here already, nothing waits, and other tasks would get no turn.
        await Task.yield()
      }
    } catch let fatal as Fatal {
      await socket.sayGoodbye(fatal.error.reply, limits: limits)
    } catch {
      // The connection is lost or the server ends, so nobody can be told.
    }
  }

  /// The next message; nil at the end of the connection.
  private func nextMessage(from frames: inout FrameBuffer) async throws -> [UInt8]? {
    var deadline: ContinuousClock.Instant?
    while true {
      switch frames.next() {
      case .frame(let message): return message
      case .tooLong:
        throw Fatal(
          error: server.error(
            .messageTooLong, "a message may have at most \(limits.maximumMessageBytes) bytes"))
      case nil: break
      }
      if frames.holdsPart, deadline == nil {
        deadline = .now.advanced(by: limits.partialMessageTimeout)
      }
      let left = deadline.map { ContinuousClock.now.duration(to: $0) }
      guard left.map({ $0 > .zero }) ?? true, let bytes = try await socket.read(timeout: left)
      else {
        throw Fatal(
          error: server.error(
            .malformedMessage,
            "the message was not complete in time; a message ends with a zero byte"))
      }
      if bytes.isEmpty { return nil }
      frames.append(bytes)
      try hold(frames.count)
    }
  }

  /// Counts the bytes that were read but not answered yet.
  private func hold(_ bytes: Int) throws {
    guard memory.hold(bytes) else { throw Fatal(error: server.noRoom(forUser: user)) }
  }

  /// A request that was refused because it came too soon: if the caller repeats it, nothing counts as refused.
  private struct TooSoon {
    let call: VarlinkCall
    let hash: Int
  }

  /// Answers a request; false if the caller has hung up meanwhile.
  ///
  /// - Parameter tooSoon: The last request that came too soon; it is kept until a request of the same method comes.
  private func answer(_ message: [UInt8], after tooSoon: inout TooSoon?) async throws -> Bool {
    // The decoder looks at a string's bytes only when the string is asked for.
    guard (try? UTF8Span(validating: message.span)) != nil else {
      throw malformed("a message must be UTF-8")
    }
    let head: RequestHead
    do {
      head = try RequestHead(of: message)
    } catch {
      throw malformed(error.sentence)
    }
    let isOneway = head.oneway
    let call = VarlinkCall(
      method: head.method, user: user, connection: connection,
      wantsMore: head.more && !isOneway, isOneway: isOneway)
    if let before = tooSoon, before.call.method == call.method {
      // A caller that sends another request of that method hasn't repeated the refused one.
      if before.hash != message.hashValue { tellRefused(before.call) }
      tooSoon = nil
    }
    let reply: [UInt8]
    var isTooSoon = false
    do {
      guard server.rates.allowsRequest(ofUser: user, at: server.now()) else {
        isTooSoon = true
        tooSoon = TooSoon(call: call, hash: message.hashValue)
        throw server.error(
          .tooManyRequests,
          "user \(user) may make \(limits.maximumRequestsPerSecond) requests a second, over all "
            + "its connections; try again in a moment")
      }
      if head.upgrade { throw VarlinkError.methodNotImplemented(head.method) }
      guard let last = try await run(call, message) else { return false }
      reply = last
    } catch let error as VarlinkError {
      if !isTooSoon { tellRefused(call) }
      reply = error.reply
    }
    guard !isOneway else { return true }
    do {
      try await writer.write(reply)
    } catch let error as VarlinkError {
      try await writer.write(error.reply)
    }
    return true
  }

  /// Tells a method that a call of it was answered with an error.
  private func tellRefused(_ call: VarlinkCall) {
    let name = MethodName(call.method)
    server.interfaces[name.interface]?.methods[name.method]?.refused(call)
  }

  /// The two parts of a method's full name.
  private struct MethodName {
    let interface: String
    let method: String

    init(_ name: String) {
      let dot = name.lastIndex(of: ".")
      method = String(dot.map { name[$0...].dropFirst() } ?? name[...])
      interface = String(dot.map { name[..<$0] } ?? "")
    }
  }

  /// Runs the method's handler; nil if the caller hung up first.
  private func run(_ call: VarlinkCall, _ message: [UInt8]) async throws -> [UInt8]? {
    let name = MethodName(call.method)
    guard let interface = server.interfaces[name.interface] else {
      throw VarlinkError.interfaceNotFound(name.interface)
    }
    guard let method = interface.methods[name.method],
      let described = interface.description.methods[name.method]
    else { throw VarlinkError.methodNotFound(call.method) }
    let request = VarlinkRequest(
      message: message, description: interface.description, expected: described.input,
      isOneway: call.isOneway, reader: reader, socket: socket)
    do {
      guard method.endsWithCaller, call.wantsMore else {
        return try await method.run(request, call, writer)
      }
      return try await untilHangUp { try await method.run(request, call, writer) }
    } catch let error as VarlinkError {
      throw error
    } catch let error as ReplyWriter.ConnectionLost {
      throw error
    } catch {
      try Task.checkCancellation()
      throw interface.failure(error)
    }
  }

  /// Runs a handler until it ends or the caller hangs up; in the latter case the result is nil.
  private func untilHangUp(
    _ handler: @escaping @Sendable () async throws -> [UInt8]
  ) async throws -> [UInt8]? {
    try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      group.addTask { try await handler() }
      group.addTask {
        try await socket.waitForHangUp()
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private func malformed(_ sentence: String) -> Fatal {
    Fatal(error: server.error(.malformedMessage, sentence))
  }
}

extension StreamSocket {
  /// Sends a last message before the connection is closed, and gives the other end time to read it.
  ///
  /// Bytes that still arrive are read and dropped. If a socket is closed with unread bytes, the connection is reset,
  /// and a caller that is busy writing would never see the message.
  func sayGoodbye(_ message: [UInt8], limits: VarlinkLimits) async {
    let deadline = ContinuousClock.now.advanced(by: limits.partialMessageTimeout)
    var dropped = 0
    do {
      try await write(message + [0], timeout: limits.writeTimeout)
      finishWriting()
      while dropped < min(64 * limits.maximumMessageBytes, 64 << 20) {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero, let bytes = try await read(timeout: left), !bytes.isEmpty else { break }
        dropped += bytes.count
      }
    } catch {
      // The message was only a courtesy.
    }
  }
}
