import Dispatch
import Synchronization

/// Looks up hosts for tasks that don't have to stay until the name servers have answered.
///
/// Looking a name up blocks for as long as the name servers take and can't be ended, so it is done on a
/// thread of its own, one lookup at a time: who asks for another host meanwhile waits for its turn, and
/// who asks for the same one shares the answer. A task that is cancelled stops waiting at once; the
/// lookup goes on without it.
final class HostResolver: Sendable {
  /// How long somebody waits for an answer: glibc gives each name server five seconds, and tries them twice.
  static let patience = Duration.seconds(30)

  /// The process's resolver, which asks the system.
  static let shared = HostResolver(lookUp: InternetAddress.lookUp)

  typealias LookUp = @Sendable (_ host: String, _ port: Int) throws -> [InternetAddress]

  private struct Question: Hashable {
    let host: String
    let port: Int
  }

  private typealias Answer = Result<[InternetAddress], any Error>
  private typealias Waiter = CheckedContinuation<[InternetAddress], any Error>

  private struct State {
    var nextID: UInt64 = 0
    var waiting: [UInt64: (question: Question, waiter: Waiter)] = [:]
    var cancelled: Set<UInt64> = []
    var isBusy = false

    /// What the one who has waited longest wants to know, if nothing is being looked up.
    mutating func begin() -> Question? {
      guard !isBusy, let first = waiting.min(by: { $0.key < $1.key }) else { return nil }
      isBusy = true
      return first.value.question
    }
  }

  private enum Next {
    case resume(Answer)
    case lookUp(Question)
    case wait
  }

  private let lookUp: LookUp
  private let thread = DispatchQueue(label: "geofenced.resolver")
  private let state = Mutex(State())

  /// - Parameter lookUp: finds a host's addresses, and may block.
  init(lookUp: @escaping LookUp) {
    self.lookUp = lookUp
  }

  /// The addresses of a host, in the order in which they should be tried.
  ///
  /// - Throws: `CancellationError`, or what the lookup throws: ``HostNotFound``.
  func addresses(of host: String, port: Int) async throws -> [InternetAddress] {
    let question = Question(host: host, port: port)
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        switch ask(question, waiter, id) {
        case .resume(let answer): waiter.resume(with: answer)
        case .lookUp(let question): start(question)
        case .wait: break
        }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        if let waiting = state.waiting.removeValue(forKey: id) { return waiting.waiter }
        state.cancelled.insert(id)
        return nil
      }
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func ask(_ question: Question, _ waiter: Waiter, _ id: UInt64) -> Next {
    state.withLock { state in
      if state.cancelled.contains(id) { return .resume(.failure(CancellationError())) }
      state.waiting[id] = (question, waiter)
      return state.begin().map(Next.lookUp) ?? .wait
    }
  }

  private func start(_ question: Question) {
    thread.async {
      let answer = Answer { try self.lookUp(question.host, question.port) }
      self.finish(question, answer)
    }
  }

  private func finish(_ question: Question, _ answer: Answer) {
    let (waiters, next) = state.withLock { state in
      let ids = state.waiting.filter { $0.value.question == question }.keys
      let waiters = ids.compactMap { state.waiting.removeValue(forKey: $0)?.waiter }
      state.isBusy = false
      return (waiters, state.begin())
    }
    if let next { start(next) }
    for waiter in waiters { waiter.resume(with: answer) }
  }
}
