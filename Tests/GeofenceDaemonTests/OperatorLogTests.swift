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
      let text = try log.end(readingFrom: ends[0])
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
