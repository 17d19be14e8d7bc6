import CommandLineParsing
import FoundationEssentials
import GeofenceDaemon
import TestSupport
import Testing
import Varlink

@testable import DeliveryBenchmark

@Suite struct DeliveryCommandTests {
  private static func settings(_ words: [String]) throws(UsageError) -> DeliveryRun? {
    guard case .run(let arguments) = try DeliveryCommand.definition.parse(words) else { return nil }
    return try DeliveryCommand.settings(arguments)
  }

  @Test func `it measures two hundred subscribers, of all kinds, where nothing else is asked`()
    throws
  {
    let run = try #require(try Self.settings([]))
    #expect(run.subscribers + 2 == 200)
    for kind in Subscriber.Kind.allCases { #expect(run.kinds.count { $0 == kind } == 66) }
    #expect(try Self.settings(["--rounds", "1", "--events", "10"])?.rounds == 1)
  }

  @Test(arguments: [3, 198, 600])
  func `one user may have as many subscribers as are measured`(subscribers: Int) throws {
    let words = ["--subscribers", "\(subscribers)"]
    let run = try #require(try Self.settings(words))
    let folder = try TemporaryFolder()
    let path = try folder.write(run.configuration.utf8, "geofenced.conf")
    let (configuration, issues) = Configuration.load(from: path)
    #expect(issues.isEmpty, "\(issues)")
    let limits = try #require(configuration).limits
    let server = try #require(configuration).socket.varlink
    let all = run.kinds.count
    let named = run.kinds.count { $0 == .consumer }
    // One of each kind and who makes the events have a connection beside.
    #expect(server.maximumConnectionsPerUser >= all + 10)
    #expect(server.maximumConnections >= all + 10)
    #expect(limits.maximumConsumersPerUser >= named)
  }

  @Test(arguments: [
    (["--subscribers", "2"], "--subscribers wants a whole number from 3 to 600, got '2'"),
    (["--events", "1000"], "--events wants a whole number from 10 to 150, got '1000'"),
    (["--rounds", "none"], "--rounds wants a whole number, got 'none'"),
    (["more"], "unexpected argument 'more' (see --help)"),
  ])
  func `what is wrong is told in one line`(words: [String], message: String) {
    #expect(throws: UsageError(command: "bench-delivery", message: message)) {
      _ = try Self.settings(words)
    }
  }

  @Test func `the numbers of events are found in whatever they come in`() {
    func numbers(_ text: String) -> [Int64] { Subscriber.numbers(in: Array(text.utf8)) }
    #expect(numbers("{\"kind\":\"entered\",\"sequence\":17,\"state\":\"satisfied\"}") == [17])
    #expect(
      numbers("{\"parameters\":{\"events\":[{\"sequence\":1},{\"sequence\":20}]}}") == [1, 20])
    #expect(numbers("{\"parameters\":{\"events\":[]}}") == [])
    #expect(numbers("\"sequence\":") == [])
  }

  private static func measurement(_ round: Int, slow: Bool, delay: Int, memory: Int) -> Measurement
  {
    Measurement(
      round: round, hasSlowOnes: slow,
      delays: (1...100).map { .microseconds($0 * delay) },
      answers: (1...100).map { .microseconds($0 * 10) }, memory: memory)
  }

  @Test func `lines and the comparison tell medians, what is rarely exceeded, and memory`() throws {
    let one = Self.measurement(1, slow: false, delay: 100, memory: 10_240)
    #expect(
      DeliveryReport.line(one)
        == "1  without                5.00 ms      9.50 ms      0.50 ms      0.95 ms    10.00 MiB\n"
    )
    let two = Self.measurement(1, slow: true, delay: 150, memory: 10_752)
    #expect(
      DeliveryReport.comparison([one, two])
        == "with / without               1.50         1.50         1.00         1.00    +0.50 MiB\n"
    )
    #expect(
      try DeliveryReport.json(two)
        == "{\"answer95\":0.95,\"answerMedian\":0.5,\"delay95\":14.25,\"delayMedian\":7.5,"
        + "\"memoryKiB\":10752,\"round\":1,\"slow\":true}\n")
  }
}
