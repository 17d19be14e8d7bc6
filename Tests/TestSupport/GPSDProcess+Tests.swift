import Testing

extension GPSDProcess {
  /// Starts a gpsd; cancels the test on a machine without one.
  package static func orCancel() throws -> GPSDProcess {
    guard isInstalled else { try Test.cancel("gpsd or setpriv isn't installed") }
    return try GPSDProcess()
  }

  /// Feeds epochs, with a short pause after each.
  ///
  /// gpsd and the daemon would lose none without the pauses. But a program that listens to locations, and is slow, gets
  /// only the newest, and has to get more of a drive than its end.
  package func feed(_ epochs: some Sequence<Drive.Epoch>) async throws {
    for epoch in epochs {
      try await feed(epoch.sentences)
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
