extension Duration {
  /// How long a test waits for something that must happen: only something that hangs takes this long.
  ///
  /// It is no measure of speed. A machine may be twenty times slower than another and stop for seconds; a test must not
  /// fail because of that.
  package static let untilItHangs = Duration.seconds(300)
}

/// Asks again and again until there is an answer; throws after ``Duration/untilItHangs``.
///
/// - Parameter complaint: Makes the text of the ``TestFailure``.
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

/// Asks again and again until the answer is true; throws after ``Duration/untilItHangs``.
package func wait(
  for purpose: String = "such state", _ ask: () async throws -> Bool
) async throws {
  try await firstAnswer {
    try await ask() ? true : nil
  } otherwise: {
    "no \(purpose)"
  }
}
