/// A long-running part of the daemon.
///
/// It runs until its task is cancelled, and then returns or throws `CancellationError`. Whatever it does earlier
/// ends the daemon.
protocol Service: Sendable {
  /// What it is called when it fails.
  var name: String { get }

  func run() async throws
}

/// A service that is only one call of a part that has a purpose of its own.
struct NamedService: Service {
  let name: String
  let body: @Sendable () async throws -> Void

  func run() async throws { try await body() }
}
