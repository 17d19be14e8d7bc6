import Glibc
import LinuxSystem

/// A socket that is read and written without tasks, so that measuring takes little time itself.
struct Descriptor: ~Copyable {
  private let number: CInt

  init(adopting number: CInt) throws {
    guard number >= 0 else { throw Errno.last }
    self.number = number
  }

  deinit { close(number) }

  /// Connects to a Unix socket.
  static func connected(toPath path: String) throws -> Descriptor {
    let new = try Descriptor(adopting: socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0))
    let result = try withUnixAddress(path) { Glibc.connect(new.number, $0, $1) }
    guard result == 0 else { throw Errno.last }
    return new
  }

  /// Connects to a port of 127.0.0.1.
  static func connected(toPort port: Int) throws -> Descriptor {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let new = try Descriptor(adopting: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(new.number, $0, length)
      }
    }
    guard result == 0 else { throw Errno.last }
    new.sendAtOnce()
    return new
  }

  /// Accepts a connection on a listening socket, within a time limit.
  static func accepted(on listener: CInt, patience: Duration) throws -> Descriptor {
    var request = pollfd(fd: listener, events: CShort(POLLIN), revents: 0)
    guard poll(&request, 1, CInt(patience / .milliseconds(1))) == 1 else { throw Errno.timedOut }
    let new = try Descriptor(adopting: accept(listener, nil, nil))
    new.sendAtOnce()
    return new
  }

  /// Makes TCP send each message as soon as it is written.
  private func sendAtOnce() {
    var one: CInt = 1
    setsockopt(number, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Writes all of the bytes.
  func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        send(
          number, buffer.baseAddress?.advanced(by: sent), bytes.count - sent, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw errno == ECONNRESET ? Errno(EPIPE) : Errno.last }
      sent += count
    }
  }

  /// The bytes that have arrived; empty if there are none.
  func readAtHand() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(number, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN { return [] }
    // The other end closed the connection, in one way or another.
    if count == 0 || (count < 0 && errno == ECONNRESET) { throw Errno(EPIPE) }
    guard count > 0 else { throw Errno.last }
    return Array(bytes.prefix(count))
  }

  /// Waits for bytes without sleeping, so that only the other end has to be woken; false if the time was over first.
  func spin(for patience: Duration) -> Bool {
    let deadline = ContinuousClock.now + patience
    var request = pollfd(fd: number, events: CShort(POLLIN), revents: 0)
    repeat {
      if poll(&request, 1, 0) == 1 { return true }
    } while ContinuousClock.now < deadline
    return false
  }
}
