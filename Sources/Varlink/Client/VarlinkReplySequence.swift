/// The replies to a call with `more` that come without delay; the others come when there is news.
package enum VarlinkPromptReplies: Sendable {
  case none
  case first
  case all
}

/// The replies to a call with `more`.
///
/// A reply is read from the connection only when it is asked for. So a slow reader slows the service down, and only
/// as much is kept as fits into the connection.
package struct VarlinkReplySequence<Output: Decodable, Parameters: Encodable>: AsyncSequence {
  let connection: VarlinkConnection
  let request: Request<Parameters>

  let prompt: VarlinkPromptReplies

  /// How long a prompt reply may take; nil is without a limit.
  let timeout: Duration?

  /// Goes through the replies; if it is released before the last one, the connection is closed.
  ///
  /// Only one call at a time may wait for the next reply. Another call meanwhile throws
  /// ``VarlinkConnectionError/busy``, and doesn't disturb the first.
  package final class AsyncIterator: AsyncIteratorProtocol {
    private enum State {
      case notSent
      case receiving
      case finished
    }

    private let replies: VarlinkReplySequence
    private var state = State.notSent
    private var isWaiting = false

    fileprivate init(_ replies: VarlinkReplySequence) { self.replies = replies }

    deinit {
      if state == .receiving { replies.connection.abandonCall() }
    }

    /// Whether a part of the next reply is here already, so that the rest should come soon.
    package var hasArrived: Bool { state == .receiving && replies.connection.hasArrived }

    package func next() async throws -> Output? {
      try await next(isolation: #isolation)
    }

    package func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Output? {
      // An actor that owns this iterator may be called again while it waits.
      guard !isWaiting else { throw VarlinkConnectionError.busy }
      isWaiting = true
      defer { isWaiting = false }
      let connection = replies.connection
      var isPrompt = replies.prompt == .all
      switch state {
      case .finished: return nil
      case .notSent:
        try await connection.send(replies.request)
        state = .receiving
        isPrompt = replies.prompt != .none
      case .receiving: break
      }
      do {
        // With a service that sends faster than this end reads, nothing waits, and so nothing else checks this.
        try Task.checkCancellation()
        let (message, continues) = try await connection.nextReply(
          timeout: isPrompt ? replies.timeout : nil)
        if !continues { state = .finished }
        return try connection.decode(message)
      } catch {
        connection.abandonCall()
        state = .finished
        throw error
      }
    }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
