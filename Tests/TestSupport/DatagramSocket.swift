import Foundation
import LinuxSystem

/// A Unix datagram socket in the file system, to stand for a socket of systemd.
package final class DatagramSocket: Sendable {
  private let descriptor: FileDescriptor

  /// Makes the socket at a path where there is nothing yet.
  package init(path: String) throws {
    descriptor = FileDescriptor(adopting: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
    let number = descriptor.rawValue
    guard try withUnixAddress(path, { bind(number, $0, $1) }) == 0 else { throw Errno.last }
  }

  /// The next message if one has arrived, else nil.
  package func receive() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor.rawValue, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : Array(bytes.prefix(count))
  }

  /// The next message as text if one has arrived, else nil.
  package func receiveText() -> String? { receive().map { String(decoding: $0, as: UTF8.self) } }

  /// Waits for the next message on this thread and returns it as text; nil if the time was over first.
  package func receiveText(within patience: Duration) -> String? {
    var request = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, Int32(patience / .milliseconds(1))) == 1 else { return nil }
    return receiveText()
  }
}
