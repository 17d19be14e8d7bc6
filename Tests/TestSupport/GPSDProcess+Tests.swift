import Testing

extension GPSDProcess {
  /// A gpsd, or the end of a test on a machine without one.
  package static func orCancel() throws -> GPSDProcess {
    guard isInstalled else { try Test.cancel("gpsd or setpriv isn't installed") }
    return try GPSDProcess()
  }

  /// Feeds epochs, each some real time after the one before.
  package func feed(_ epochs: some Sequence<Drive.Epoch>, every pause: Duration) async throws {
    for epoch in epochs {
      try await feed(epoch.sentences)
      try await Task.sleep(for: pause)
    }
  }
}
