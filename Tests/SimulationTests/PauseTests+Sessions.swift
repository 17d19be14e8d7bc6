import ControlInterface
import Geofencing
import TestSupport
import Testing
import Varlink

/// Sessions, which keep the receiver in use.
extension PauseTests {
  /// Holds a session while the body takes, and ends it.
  private func withSession(
    of daemon: SimulatedDaemon, _ body: () async throws -> Void
  ) async throws {
    let name = SessionName(name: "trip")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await _ in try await daemon.connect().stream(Session.self, name) {}
      }
      try await daemon.wait {
        try await daemon.call(Sessions.self, OwnerParameters()).sessions.count == 1
      }
      try await body()
      try await daemon.call(InvalidateSession.self, InvalidateSession.Parameters(name))
      try await daemon.wait {
        try await daemon.call(Sessions.self, OwnerParameters()).sessions.isEmpty
      }
      group.cancelAll()
    }
  }

  @Test func `a session alone has the receiver watched`() async throws {
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      #expect(try await !daemon.status().receiver.watched)
      try await withSession(of: daemon) { try await daemon.waitForGPSD() }
      try await daemon.wait { try await !daemon.status().receiver.watched }
    }
  }

  @Test func `a receiver at rest isn't released while a session lives`() async throws {
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      try await daemon.add(departure.place)
      try await daemon.waitForGPSD()
      try await withSession(of: daemon) {
        try await gpsd.feed(departure.rest)
        let last = try #require(departure.rest.last).timestamp
        try await daemon.wait { try await daemon.status().receiver.lastFix?.timestamp == last }
        let status = try await daemon.status().receiver
        #expect(status.stationary && !status.released && status.source != nil)
      }
      // Whoever was kept from it is released as soon as a fix says again that it stands.
      try await gpsd.feed(departure.way.prefix(1))
      try await daemon.wait { try await daemon.status().receiver.released }
    }
  }

  @Test func `a session that begins in a pause ends it`() async throws {
    try await SimulatedDaemon.with(folder: folder.path, gpsd: gpsd) { daemon in
      let fed = try await rest(daemon)
      try await withSession(of: daemon) {
        try await daemon.waitForGPSD()
        try await gpsd.feed(departure.epochs[fed..<(fed + 3)])
        let last = departure.epochs[fed + 2].timestamp
        try await daemon.wait { try await daemon.status().receiver.lastFix?.timestamp == last }
        let status = try await daemon.status().receiver
        #expect(!status.released && status.nextProbe == nil && status.source != nil)
        // Nobody had to wait for the next look.
        #expect(daemon.clock.now.offset == .zero)
      }
    }
  }
}
