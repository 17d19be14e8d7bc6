import Foundation
import LinuxSystem
import Systemd
import Testing

// Sockets are passed as descriptors 3, 4, …, so each of these runs in a process of its own.
@Suite struct `Activated sockets` {
  @Test func `are none without a manager`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("LISTEN_FDS")
      let sockets = try ActivatedSockets.take()
      #expect(sockets.isEmpty)
    }
  }

  @Test func `are taken in order, with their paths, and answer`() async {
    await #expect(processExitsWith: .success) {
      let folder = try temporaryFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let paths = [folder + "/control", folder + "/events"]
      let passed = PassedDescriptors(paths.map { listeningSocket(path: $0) })
      defer { passed.restore() }

      let sockets = try ActivatedSockets.take()
      #expect(sockets.map(\.path) == paths)
      #expect(getenv("LISTEN_FDS") == nil && getenv("LISTEN_PID") == nil)
      #expect([3, 4].map { fcntl($0, F_GETFD) } == [FD_CLOEXEC, FD_CLOEXEC])

      let client = try await StreamSocket.connect(toPath: paths[1])
      try await client.write(Array("hello".utf8))
      let server = try await sockets[1].accept()
      #expect(try await server.read() == Array("hello".utf8))
    }
  }

  @Test func `are refused when one is no listening Unix stream socket`() async {
    await #expect(processExitsWith: .success) {
      let kinds: [(CInt, CInt)] = [
        (AF_INET, CInt(SOCK_STREAM.rawValue)), (AF_UNIX, CInt(SOCK_DGRAM.rawValue)),
        (AF_UNIX, CInt(SOCK_STREAM.rawValue)),
      ]
      for (family, kind) in kinds {
        let passed = PassedDescriptors([socket(family, kind, 0)])
        defer { passed.restore() }
        let error = #expect(throws: ActivationError.self) { try ActivatedSockets.take() }
        #expect(
          error?.description == """
            descriptor 3 from the service manager is no listening Unix stream socket: \
            let the socket unit use ListenStream= with a path
            """)
      }
    }
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

/// Puts descriptors where a service manager leaves them; what was there is kept aside.
private struct PassedDescriptors {
  private let count: CInt
  private let keptAside: [CInt]

  init(_ descriptors: [CInt]) {
    count = CInt(descriptors.count)
    // Away from 3, 4, … first, so that moving one doesn't overwrite the next.
    let moved = descriptors.map { fcntl($0, F_DUPFD, 100) }
    for descriptor in descriptors { close(descriptor) }
    keptAside = (0..<count).map { fcntl(3 + $0, F_DUPFD_CLOEXEC, 200) }
    for (index, descriptor) in moved.enumerated() {
      dup2(descriptor, 3 + CInt(index))
      close(descriptor)
    }
    setenv("LISTEN_FDS", "\(count)", 1)
    setenv("LISTEN_PID", "\(getpid())", 1)
  }

  func restore() {
    for (index, descriptor) in keptAside.enumerated() where descriptor >= 0 {
      dup2(descriptor, 3 + CInt(index))
      close(descriptor)
    }
  }
}

private func listeningSocket(path: String) -> CInt {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
  withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      #expect(bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0)
    }
  }
  #expect(listen(descriptor, 8) == 0)
  return descriptor
}
