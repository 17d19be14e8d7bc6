/// A long-running part of the daemon.
///
/// It runs until its task is cancelled, and then returns or throws `CancellationError`. If it returns or throws
/// earlier, the daemon ends.
protocol Service: Sendable {
  /// Its name in messages.
  var name: String { get }

  func run() async throws
}

/// A service that only calls a function of another part.
struct NamedService: Service {
  let name: String
  let body: @Sendable () async throws -> Void

  func run() async throws { try await body() }
}
