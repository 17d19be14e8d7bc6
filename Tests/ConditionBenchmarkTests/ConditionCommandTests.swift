import CommandLineParsing
import Testing

@testable import ConditionBenchmark

@Suite struct ConditionCommandTests {
  private static func settings(_ words: [String]) throws(UsageError) -> ConditionRun? {
    guard case .run(let arguments) = try ConditionCommand.definition.parse(words) else {
      return nil
    }
    if let name = arguments.string("engine") {
      _ = try ConditionCommand.workload(named: name, arguments)
    }
    return try ConditionCommand.settings(arguments)
  }

  @Test func `everything is measured three times where nothing else is asked`() throws {
    let run = try #require(try Self.settings([]))
    #expect(run.sizes == [100, 10_000, 100_000, 1_000_000])
    #expect(run.rounds == 3)
    #expect(try Self.settings(["--sizes", "10000,100,100"])?.sizes == [100, 10_000])
  }

  @Test(arguments: [
    (["--sizes", "100,5"], "--sizes wants some of 100,10000,100000,1000000, got '100,5'"),
    (["--sizes", "all"], "--sizes wants some of 100,10000,100000,1000000, got 'all'"),
    (["--rounds", "0"], "--rounds wants a whole number from 1 to 100, got '0'"),
    (
      ["--engine", "C_1"],
      "--engine wants A or B and the number of conditions, such as A_10000, got 'C_1'"
    ),
  ])
  func `what is wrong is told in one line`(words: [String], message: String) {
    #expect(throws: UsageError(command: "bench-conditions", message: message)) {
      _ = try Self.settings(words)
    }
  }
}
