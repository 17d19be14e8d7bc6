import CSystemd
import Glibc
package import LinuxSystem

/// Why the sockets that the service manager passed can't be used.
package struct ActivationError: Error, Hashable, CustomStringConvertible {
  package let description: String
}

/// The listening sockets that the service manager made before it started the service.
package enum ActivatedSockets {
  /// Takes over the sockets, in the order of the socket unit; empty if there are none.
  ///
  /// Call it once, early, before other threads read the environment: it removes the variables that announce the
  /// sockets, so that no child process takes the sockets for its own.
  ///
  /// - Throws: ``ActivationError`` if one of them isn't a listening Unix stream socket with a path.
  package static func take() throws(ActivationError) -> [ListeningSocket] {
    let count = sd_listen_fds(1)
    guard count >= 0 else {
      throw ActivationError(
        description: "the sockets from the service manager are unusable: \(Errno(-count))")
    }
    return try adopt(SD_LISTEN_FDS_START..<(SD_LISTEN_FDS_START + count))
  }

  /// Takes over the one connection for which the service manager started this process (Accept=yes), and the path of
  /// its socket.
  ///
  /// - Throws: ``ActivationError`` if there isn't exactly one connection, over a Unix stream socket with a path.
  package static func takeConnection() throws(ActivationError) -> (
    socket: StreamSocket, path: String
  ) {
    guard sd_listen_fds(1) == 1 else {
      throw ActivationError(
        description: "no connection came from the service manager: this is started by a socket unit"
      )
    }
    let number = SD_LISTEN_FDS_START
    let descriptor = FileDescriptor(adopting: number)
    guard sd_is_socket_unix(number, CInt(SOCK_STREAM.rawValue), 0, nil, 0) > 0,
      let path = path(of: number)
    else {
      throw ActivationError(
        description: "what came from the service manager is no connection to a Unix socket")
    }
    do throws(Errno) {
      try descriptor.setNonBlocking()
      try descriptor.setCloseOnExec()
    } catch {
      throw ActivationError(description: "the connection to '\(path)' is unusable: \(error)")
    }
    return (StreamSocket(adopting: descriptor), path)
  }

  /// Takes over the sockets with these descriptors.
  static func adopt(_ descriptors: Range<CInt>) throws(ActivationError) -> [ListeningSocket] {
    var sockets: [ListeningSocket] = []
    for number in descriptors {
      let descriptor = FileDescriptor(adopting: number)
      guard
        sd_is_socket_unix(number, CInt(SOCK_STREAM.rawValue), 1, nil, 0) > 0,
        let path = path(of: number)
      else {
        throw ActivationError(
          description: """
            descriptor \(number) from the service manager is no listening Unix stream socket: \
            let the socket unit use ListenStream= with a path
            """)
      }
      do throws(Errno) {
        sockets.append(try ListeningSocket(adopting: descriptor, path: path))
      } catch {
        throw ActivationError(description: "the socket '\(path)' is unusable: \(error)")
      }
    }
    return sockets
  }

  /// The path of a Unix socket; nil if it has none.
  private static func path(of descriptor: CInt) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length)
      }
    }
    guard status == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    // The name of an abstract socket begins with a NUL, and an unnamed socket has no name: neither has a path.
    let path = unsafe withUnsafeBytes(of: address.sun_path) { unsafe Array($0.prefix { $0 != 0 }) }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }
}
