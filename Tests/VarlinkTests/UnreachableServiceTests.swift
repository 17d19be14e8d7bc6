import Foundation
import LinuxSystem
import TestSupport
import Testing
import Varlink

/// Services that a client doesn't reach.
@Suite(.timeLimit(.minutes(10))) struct UnreachableServiceTests {
  @Test
  func `each way of not reaching a service has its own error`() async throws {
    try await withTemporaryDirectory { directory in
      let missing = directory + "/missing"
      await #expect(throws: VarlinkConnectionError.noSuchSocket(path: missing)) {
        _ = try await VarlinkConnection.connect(toPath: missing, replyTimeout: .untilItHangs)
      }
      let stale = directory + "/stale"
      let socket = try bindWithoutListening(to: stale)
      defer { close(socket) }
      await #expect(throws: VarlinkConnectionError.nobodyListens(path: stale)) {
        _ = try await VarlinkConnection.connect(toPath: stale, replyTimeout: .untilItHangs)
      }
      let file = directory + "/file"
      try Data().write(to: URL(filePath: file))
      for path in [file, directory] {
        await #expect(throws: VarlinkConnectionError.noSocket(path: path)) {
          _ = try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs)
        }
      }
      let long = directory + String(repeating: "/x", count: 100)
      await #expect(throws: VarlinkConnectionError.unreachable(path: long, .nameTooLong)) {
        _ = try await VarlinkConnection.connect(toPath: long, replyTimeout: .untilItHangs)
      }
    }
  }

  @Test
  func `a socket that may not be written is told as such`() async throws {
    guard getuid() == 0 else { try Test.cancel("only root can become another user") }
    try await withTemporaryDirectory { directory in
      let path = directory + "/socket"
      chmod(directory, 0o755)
      let listener = try ListeningSocket(path: path, mode: 0o600)
      // In a process of its own: root may write everything.
      await #expect(processExitsWith: .success) { [path = path as String] in
        try #require(setuid(65_534) == 0)
        await #expect(throws: VarlinkConnectionError.permissionDenied(path: path)) {
          _ = try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs)
        }
      }
      withExtendedLifetime(listener) {}
    }
  }
}
