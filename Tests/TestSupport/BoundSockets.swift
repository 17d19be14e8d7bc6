import Glibc
package import LinuxSystem

/// A listening socket on a free port of 127.0.0.1.
package struct LoopbackListener: ~Copyable, Sendable {
  /// The descriptor on which clients are accepted.
  package let descriptor: FileDescriptor

  /// The port to which clients connect.
  package let port: Int

  /// Listens, with room for so many clients that wait to be accepted.
  package init(backlog: CInt = 1) throws {
    let number = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Errno.last }
    let owned = FileDescriptor(adopting: number)
    let free = try bindToFreePort(number)
    guard listen(number, backlog) == 0 else { throw Errno.last }
    descriptor = owned
    port = free
  }
}

/// A port of 127.0.0.1, reserved for a program that listens on it later.
///
/// No other program is given it meanwhile. Linux lets that program have it if it sets SO_REUSEADDR, as gpsd does,
/// because nobody listens here.
package struct ReservedPort: ~Copyable, Sendable {
  package let number: Int
  private let descriptor: FileDescriptor

  package init() throws {
    let opened = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard opened >= 0 else { throw Errno.last }
    let owned = FileDescriptor(adopting: opened)
    var yes: CInt = 1
    guard
      setsockopt(
        opened, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size)) == 0
    else { throw Errno.last }
    let free = try bindToFreePort(opened)
    descriptor = owned
    number = free
  }
}

/// Binds a socket to a free port of 127.0.0.1 and returns the port.
private func bindToFreePort(_ descriptor: CInt) throws -> Int {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  guard isBound else { throw Errno.last }
  return Int(UInt16(bigEndian: address.sin_port))
}

/// Makes a socket at a path on which nobody listens, and returns its descriptor.
package func bindWithoutListening(to path: String) throws -> CInt {
  let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
  guard descriptor >= 0 else { throw Errno.last }
  guard try withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
    let error = Errno.last
    close(descriptor)
    throw error
  }
  return descriptor
}
