/// Runs services: starts them in order, stops them in the reverse order.
struct Supervisor: Sendable {
  /// A service that ended although it wasn't stopped.
  struct Failure: Error, CustomStringConvertible {
    let service: String
    let cause: (any Error)?

    var description: String {
      "the \(service) service ended" + (cause.map { ": \($0)" } ?? "")
    }
  }

  private let services: [any Service]
  private let running: RunningServices
  private let failed: @Sendable () -> Void

  /// - Parameters:
  ///   - running: keeps which services run.
  ///   - failed: called at once when a service fails, before the others are waited for, which may hang.
  init(
    _ services: [any Service], running: RunningServices = RunningServices(),
    failed: @escaping @Sendable () -> Void = {}
  ) {
    self.services = services
    self.running = running
    self.failed = failed
  }

  /// Runs all services until `stopped` returns.
  ///
  /// - Throws: ``Failure`` when one of them ended first, or what `stopped` throws; the others have been
  ///   stopped in order.
  func run(until stopped: @escaping @Sendable () async throws -> Void) async throws {
    try await run(services[...], until: stopped)
  }

  /// Runs the first service for as long as the rest runs, so that the service that was started last stops first.
  private func run(
    _ services: ArraySlice<any Service>, until stopped: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let service = services.first else { return try await stopped() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      running.add(service.name)
      group.addTask {
        defer { running.remove(service.name) }
        var cause: (any Error)?
        do {
          try await service.run()
          if Task.isCancelled { return }
        } catch is CancellationError {
          return
        } catch {
          cause = error
        }
        failed()
        throw Failure(service: service.name, cause: cause)
      }
      group.addTask { try await run(services.dropFirst(), until: stopped) }
      // Either the rest was stopped or the service failed: the other one is cancelled and waited for.
      let first = await group.nextResult()
      group.cancelAll()
      try await group.waitForAll()
      try first?.get()
    }
  }
}
