import Glibc
import Systemd
import Testing

@testable import GeofenceDaemon

extension OperatorLog {
  /// Says a last word, and gives all that was said through a pipe up to it.
  func end(readingFrom descriptor: CInt) throws -> String {
    say(.notice, "the last word", isLast: true)
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while !text.contains("the last word") {
      // What is lost fails sooner than by the time limit.
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&wanted, 1, 300_000) == 1)
      let count = read(descriptor, &bytes, bytes.count)
      try #require(count > 0)
      text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    return text
  }
}
