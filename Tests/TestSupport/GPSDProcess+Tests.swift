import Testing

extension GPSDProcess {
  /// A gpsd, or the end of a test on a machine without one.
  package static func orCancel() throws -> GPSDProcess {
    guard isInstalled else { try Test.cancel("gpsd or setpriv isn't installed") }
    return try GPSDProcess()
  }

  /// Feeds epochs, each a little after the one before, as gpsd tells one from the next.
  package func feed(
    _ epochs: some Sequence<Drive.Epoch>, every pause: Duration = .milliseconds(2)
  ) async throws {
    for epoch in epochs {
      try await feed(epoch.sentences)
      try await Task.sleep(for: pause)
    }
  }
}
