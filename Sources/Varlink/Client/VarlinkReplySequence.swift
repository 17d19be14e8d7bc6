/// Which replies to a call with `more` come at once; the others when there is something to say.
package enum VarlinkPromptReplies: Sendable {
  case none
  case first
  case all
}

/// The replies to a call with `more`.
///
/// A reply is read from the connection when it is asked for: a slow reader holds the service up, and
/// not more than the connection takes is kept.
package struct VarlinkReplySequence<Output: Decodable, Parameters: Encodable>: AsyncSequence {
  let connection: VarlinkConnection
  let request: Request<Parameters>

  let prompt: VarlinkPromptReplies

  /// How long a prompt reply may take; nil is for ever.
  let timeout: Duration?

  /// Goes through the replies; when it is gone before the last one, the connection is closed.
  ///
  /// One call at a time waits for the next reply. Another one meanwhile is refused with
  /// ``VarlinkConnectionError/busy``, and changes nothing for the first.
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

    /// Whether there is something of the next reply, so that it needn't be waited for long.
    package var hasArrived: Bool { state == .receiving && replies.connection.hasArrived }

    package func next() async throws -> Output? {
      try await next(isolation: #isolation)
    }

    package func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> Output? {
      // An actor that keeps this may be called again while it waits.
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
        // A service that sends faster than this end reads never lets it wait, and so never notice.
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
