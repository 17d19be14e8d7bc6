import Foundation
import Testing

@testable import GeofenceDaemon

/// What the daemon says, where nobody reads it; in processes of their own, whose standard error it is.
@Suite(.timeLimit(.minutes(10))) struct OperatorLogTests {
  @Test func `nothing waits for who doesn't read the log, and what was left out is counted`() async
  {
    await #expect(processExitsWith: .success) {
      var ends: [CInt] = [0, 0]
      try #require(pipe(&ends) == 0 && dup2(ends[1], 2) == 2)
      let log = OperatorLog()
      let long = String(repeating: "x", count: 1_900)
      // Far more than a pipe holds, and than waits.
      for number in 1...2_000 { log.say(.notice, "\(number) \(long)") }
      log.say(.notice, "the last word", isLast: true)
      var text = ""
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while !text.contains("the last word") {
        var wanted = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        try #require(poll(&wanted, 1, 300_000) == 1)
        let count = read(ends[0], &bytes, bytes.count)
        try #require(count > 0)
        text += String(decoding: bytes.prefix(count), as: UTF8.self)
      }
      #expect(text.contains("geofenced: 1 xxx"), "\(text.prefix(200))")
      // It is told wherever something is missing, and of all of it.
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("geofenced: ") }
      let missing = lines.compactMap { line in
        line.wholeMatch(of: /geofenced: (\d+) messages were left out here: .*/).flatMap {
          Int($0.1)
        }
      }
      let written = lines.count { $0.hasSuffix(long) }
      #expect(!missing.isEmpty && written + missing.reduce(0, +) == 2_000)
      #expect(lines.last == "geofenced: the last word")
      log.finish()
    }
  }
}
