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
      var text = ""
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while !text.contains("messages were left out here") {
        // Who reads again makes room for what is said from then on.
        log.say(.notice, "again")
        let count = read(ends[0], &bytes, bytes.count)
        try #require(count > 0)
        text += String(decoding: bytes.prefix(count), as: UTF8.self)
      }
      #expect(text.contains("geofenced: 1 xxx"), "\(text.prefix(200))")
      log.finish()
    }
  }
}
