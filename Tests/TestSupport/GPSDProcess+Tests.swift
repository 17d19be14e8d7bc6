import Testing

extension GPSDProcess {
  /// A gpsd, or the end of a test on a machine without one.
  package static func orCancel() throws -> GPSDProcess {
    guard isInstalled else { try Test.cancel("gpsd or setpriv isn't installed") }
    return try GPSDProcess()
  }

  /// Feeds epochs, each a little after the one before.
  ///
  /// gpsd and the daemon would lose none without the pauses. But a program that listens to locations is told
  /// only of the newest where it is slow, and has to hear of more than where a drive ends.
  package func feed(_ epochs: some Sequence<Drive.Epoch>) async throws {
    for epoch in epochs {
      try await feed(epoch.sentences)
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
