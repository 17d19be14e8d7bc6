import Dispatch
import Synchronization

/// Looks up hosts for tasks, which can be cancelled while they wait.
///
/// A lookup blocks for as long as the name servers take and can't be ended. So lookups are made on a thread
/// of their own, one after the other. Tasks that ask for the same host share the answer. A task that is
/// cancelled stops waiting at once; the lookup goes on without it.
final class HostResolver: Sendable {
  /// How long to wait for an answer: glibc gives each name server five seconds, and tries them twice.
  static let patience = Duration.seconds(30)

  /// The process's resolver, which asks the system.
  static let shared = HostResolver(lookUp: InternetAddress.lookUp)

  typealias LookUp = @Sendable (_ host: String, _ port: Int) throws -> [InternetAddress]

  private struct Question: Hashable {
    let host: String
    let port: Int
  }

  /// The answer to a question, for all tasks that ask it until it is there.
  private typealias Lookup = WatchedState<Result<[InternetAddress], any Error>?>

  private let lookUp: LookUp
  private let thread = DispatchQueue(label: "geofenced.resolver")

  /// The questions that aren't answered yet, and how many tasks wait for each.
  private let lookups = Mutex<[Question: (lookup: Lookup, waiting: Int)]>([:])

  /// - Parameter lookUp: finds a host's addresses, and may block.
  init(lookUp: @escaping LookUp) {
    self.lookUp = lookUp
  }

  /// The addresses of a host, in the order in which they should be tried.
  ///
  /// - Throws: `CancellationError`, or what the lookup throws: ``HostNotFound``.
  func addresses(of host: String, port: Int) async throws -> [InternetAddress] {
    try Task.checkCancellation()
    let question = Question(host: host, port: port)
    let lookup = lookups.withLock { lookups in
      if let lookup = lookups[question]?.lookup {
        lookups[question]?.waiting += 1
        return lookup
      }
      let lookup = Lookup(nil)
      lookups[question] = (lookup, 1)
      thread.async { self.answer(question, lookup) }
      return lookup
    }
    defer {
      lookups.withLock { if $0[question]?.lookup === lookup { $0[question]?.waiting -= 1 } }
    }
    try await lookup.changes.wait(after: 0)
    return try lookup.current.value?.get() ?? []
  }

  private func answer(_ question: Question, _ lookup: Lookup) {
    let isWanted = lookups.withLock { lookups in
      if lookups[question]?.waiting == 0 { lookups[question] = nil }
      return lookups[question] != nil
    }
    guard isWanted else { return }
    let answer = Result { try lookUp(question.host, question.port) }
    lookups.withLock { $0[question] = nil }
    lookup.change { $0 = answer }
  }
}
