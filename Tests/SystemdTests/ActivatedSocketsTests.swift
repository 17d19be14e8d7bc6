import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import Systemd

/// That descriptors 3, 4, … are those that are passed is shown with the real systemd: in a test they
/// belong to the runtime.
@Suite struct `Activated sockets` {
  @Test func `are none without a manager`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("LISTEN_FDS")
      let sockets = try ActivatedSockets.take()
      #expect(sockets.isEmpty)
    }
  }

  @Test func `are taken in order, with their paths, and answer`() async throws {
    let folder = try TemporaryFolder()
    let paths = [folder.path + "/control", folder.path + "/events"]
    let sockets = try ActivatedSockets.adopt(
      try inARow(paths.map { try listeningSocket(path: $0) }, from: 500))
    #expect(sockets.map(\.path) == paths)

    let client = try await StreamSocket.connect(toPath: paths[1])
    try await client.write(Array("hello".utf8))
    let server = try await sockets[1].accept()
    #expect(try await server.read() == Array("hello".utf8))
  }

  @Test(arguments: [
    (AF_INET, CInt(SOCK_STREAM.rawValue)), (AF_UNIX, CInt(SOCK_DGRAM.rawValue)),
    (AF_UNIX, CInt(SOCK_STREAM.rawValue)),
  ])
  func `are refused when one is no listening Unix stream socket`(family: CInt, kind: CInt) throws {
    let passed = try inARow([socket(family, kind, 0)], from: 600 + 16 * family + kind)
    let error = #expect(throws: ActivationError.self) { try ActivatedSockets.adopt(passed) }
    #expect(
      error?.description == """
        descriptor \(passed.lowerBound) from the service manager is no listening Unix stream socket: \
        let the socket unit use ListenStream= with a path
        """)
  }

  @Test func `are refused when the manager's message makes no sense`() async {
    await #expect(processExitsWith: .success) {
      setenv("LISTEN_PID", "\(getpid())", 1)
      setenv("LISTEN_FDS", "many", 1)
      let error = #expect(throws: ActivationError.self) { try ActivatedSockets.take() }
      #expect(
        error?.description
          == "the sockets from the service manager are unusable: Invalid argument")
    }
  }
}

/// Moves descriptors to numbers that follow each other, the first ones from a number on that are free:
/// other tests open descriptors meanwhile.
private func inARow(_ descriptors: [CInt], from least: CInt) throws -> Range<CInt> {
  for start in stride(from: least, to: least + 400, by: 8) {
    let copies = descriptors.indices.map {
      fcntl(descriptors[$0], F_DUPFD_CLOEXEC, start + CInt($0))
    }
    let row = start..<(start + CInt(descriptors.count))
    if copies.elementsEqual(row) {
      for descriptor in descriptors { close(descriptor) }
      return row
    }
    for copy in copies where copy >= 0 { close(copy) }
  }
  throw TestFailure("no descriptors in a row are free from \(least) on")
}

private func listeningSocket(path: String) throws -> CInt {
  let descriptor = try bindWithoutListening(to: path)
  #expect(listen(descriptor, 8) == 0)
  return descriptor
}
