extension Duration {
  /// How long a test waits for what must come: only what hangs takes so long.
  ///
  /// It says nothing about how fast anything is. A machine may be twenty times slower than another and
  /// stop for seconds, and a test must not notice.
  package static let untilItHangs = Duration.seconds(300)
}

/// Asks again and again until there is an answer, or nobody can believe that it comes.
///
/// - Parameter complaint: what a test is told then.
@discardableResult
package func firstAnswer<Answer>(
  _ ask: () async throws -> Answer?, otherwise complaint: () async -> String
) async throws -> Answer {
  let deadline = ContinuousClock.now + .untilItHangs
  while true {
    if let answer = try await ask() { return answer }
    guard ContinuousClock.now < deadline else { throw TestFailure(await complaint()) }
    try await Task.sleep(for: .milliseconds(10))
  }
}

/// Asks again and again until the answer is yes, or nobody can believe that it comes.
package func wait(
  for purpose: String = "such state", _ ask: () async throws -> Bool
) async throws {
  try await firstAnswer {
    try await ask() ? true : nil
  } otherwise: {
    "no \(purpose)"
  }
}
