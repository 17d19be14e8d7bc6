import LinuxSystem

/// The configuration in force, and a way to hear that it changed.
final class ConfigurationStore: Sendable {
  private let state: WatchedState<Configuration>

  init(_ configuration: Configuration) {
    state = WatchedState(configuration)
  }

  /// Grows with every change.
  var version: SequenceSignal { state.changes }

  /// The configuration at this moment.
  var current: Configuration { state.current.value }

  /// Runs a body for as long as the part of the configuration that it needs stays the same.
  ///
  /// When that part changes, the body's task is cancelled and waited for.
  func whileEqual<Part: Equatable & Sendable>(
    _ part: @escaping @Sendable (Configuration) -> Part,
    run body: @escaping @Sendable (Configuration) async -> Void
  ) async {
    let used = current
    let needed = part(used)
    await waitForFirst(
      { await body(used) },
      { try? await self.version.wait { part(self.current) != needed } })
  }

  /// Puts another configuration in force as a whole.
  func replace(with configuration: Configuration) {
    state.change { $0 = configuration }
  }
}
