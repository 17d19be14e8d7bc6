/// Ends background activity sessions whose clients didn't come back in time, and tells who needs to
/// know which of them live.
struct SessionService: Service {
  let name = "session"
  let sessions: BackgroundSessions

  /// A session lives, or lives no more; see ``BackgroundSessions/watch(_:)``.
  var changed: @Sendable (_ key: SessionRegistry.Key, _ lives: Bool) -> Void = { _, _ in }

  func run() async throws {
    await sessions.watch(changed)
  }
}
