import CommandLineParsing
import Testing

@testable import LatencyBenchmark

@Suite struct LatencyCommandTests {
  private static func settings(_ words: [String]) throws(UsageError) -> LatencyRun? {
    guard case .run(let arguments) = try LatencyCommand.definition.parse(words) else { return nil }
    return try LatencyCommand.settings(arguments)
  }

  @Test func `daemons are killed and started three times where nothing else is asked`() throws {
    let run = try #require(try Self.settings([]))
    #expect(run.starts == 3)
    #expect(run.rounds == 5)
    #expect(try Self.settings(["--starts", "0"])?.starts == 0)
  }

  @Test(arguments: [
    (["--starts", "21"], "--starts wants a whole number from 0 to 20, got '21'"),
    (["--starts", "often"], "--starts wants a whole number, got 'often'"),
    (["--fixes", "1"], "--fixes wants a whole number from 20 to 100000, got '1'"),
    (["--disk", "/dev/shm"], "--disk /dev/shm is in memory: nothing would be durable there"),
    (["more"], "unexpected argument 'more' (see --help)"),
  ])
  func `what is wrong is told in one line`(words: [String], message: String) {
    #expect(throws: UsageError(command: "bench-latency", message: message)) {
      _ = try Self.settings(words)
    }
  }
}
