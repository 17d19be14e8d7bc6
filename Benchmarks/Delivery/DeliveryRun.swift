import BenchmarkSupport
import ControlInterface
import Geofencing
import Glibc
import LinuxSystem
import TestSupport
import Varlink

/// Measures a daemon with many subscribers, alternately without slow ones and with two of them.
struct DeliveryRun: Sendable {
  /// The number of subscribers that read as fast as they can.
  var subscribers = 198

  /// How often each of the two is measured.
  var rounds = 5

  /// The number of events in a measurement.
  var events = 150

  /// The number of events per second.
  static let rate = 20

  /// The number of events made before: more than a socket holds, so that the slow subscribers get stuck.
  private static let backlog = 3000

  /// The way in which each subscriber gets events.
  var kinds: [Subscriber.Kind] {
    let all = Subscriber.Kind.allCases
    return (0..<subscribers).map { all[$0 % all.count] }
  }

  /// A configuration that allows all subscribers, who are one user.
  var configuration: String {
    let connections = subscribers * 2 + 100
    return """
      [Receiver]
      Port=9
      [Journal]
      Enabled=no
      [Limits]
      MaximumConsumersPerUser=\(max(100, subscribers))
      [Socket]
      MaximumConnections=\(connections)
      MaximumConnectionsPerUser=\(connections)
      MaximumRequestsPerSecond=1000000

      """
  }

  /// Measures everything.
  ///
  /// - Parameter done: Called with each measurement.
  func play(_ done: (Measurement) throws -> Void) async throws -> [Measurement] {
    var results: [Measurement] = []
    try await DaemonProcess.with(configuration) { results = try await measure($0, done) }
    return results
  }

  private func measure(
    _ daemon: DaemonProcess, _ done: (Measurement) throws -> Void
  ) async throws -> [Measurement] {
    let producer = try await EventProducer(daemon)
    var newest: Int64 = 0
    for _ in 0..<Self.backlog { newest = try await producer.make().number }
    let all = kinds.enumerated().map { Subscriber($1, name: "reader-\($0)") }
    var results: [Measurement] = []
    try await withThrowingTaskGroup(of: Void.self) { group in
      for subscriber in all {
        group.addTask { [newest] in
          try await subscriber.run(daemon, since: newest)
          throw BenchmarkFailure("the daemon closed a subscriber's connection: \(daemon.log)")
        }
      }
      // All are connected once all have got the same event.
      try await arrival(of: producer.make().number, at: all)
      for round in 1...rounds {
        // The order alternates, so that changes over time favour neither side.
        for hasSlowOnes in round % 2 == 0 ? [true, false] : [false, true] {
          let slow = hasSlowOnes ? try await SlowSubscribers(daemon) : nil
          if let slow { group.addTask { await slow.readByByte() } }
          for subscriber in all { _ = subscriber.takeArrivals() }
          let (began, answers) = try await makeEvents(producer, at: all)
          await slow?.leave()
          let delays = try all.flatMap { subscriber in
            let arrivals = subscriber.takeArrivals()
            return try began.map { number, instant in
              guard let arrival = arrivals[number] else {
                throw BenchmarkFailure("a subscriber missed event #\(number)")
              }
              return instant.duration(to: arrival)
            }
          }
          let result = Measurement(
            round: round, hasSlowOnes: hasSlowOnes, delays: delays, answers: answers,
            memory: try Self.memory(daemon))
          results.append(result)
          try done(result)
        }
      }
      group.cancelAll()
      // All that they throw from now on is that they were cancelled.
      while (try? await group.next()) != nil {}
    }
    return results
  }

  /// Makes the events of one measurement, at the set rate.
  private func makeEvents(
    _ producer: EventProducer, at subscribers: [Subscriber]
  ) async throws -> (began: [Int64: ContinuousClock.Instant], answers: [Duration]) {
    var began: [Int64: ContinuousClock.Instant] = [:]
    var answers: [Duration] = []
    let start = ContinuousClock.now
    for index in 0..<events {
      try await ContinuousClock().sleep(until: start + .seconds(1) / Self.rate * index)
      let (number, instant, answer) = try await producer.make()
      began[number] = instant
      answers.append(answer)
    }
    try await arrival(of: began.keys.max() ?? 0, at: subscribers)
    return (began, answers)
  }

  private func arrival(of number: Int64, at subscribers: [Subscriber]) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while let late = subscribers.first(where: { $0.newest < number }) {
      guard ContinuousClock.now < deadline else {
        throw BenchmarkFailure("event #\(number) hasn't come, the newest is #\(late.newest)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// The daemon's resident memory in KiB.
  private static func memory(_ daemon: DaemonProcess) throws -> Int {
    let process = String(daemon.identifier ?? 0)
    guard let memory = FileContents.processStatus("VmRSS", of: process) else {
      throw BenchmarkFailure("/proc/\(process)/status doesn't tell VmRSS")
    }
    return memory
  }
}

/// Makes events one by one, by removing a condition that was added as satisfied.
private struct EventProducer {
  private let connection: VarlinkConnection
  private let condition: Condition
  private let clock = ContinuousClock()

  init(_ daemon: DaemonProcess) async throws {
    connection = try await daemon.connect()
    condition = try Shapes.circle(latitude: 48, longitude: 16)
  }

  /// Makes one event; returns its number, when it was asked for, and how long the answer took.
  func make() async throws -> (number: Int64, began: ContinuousClock.Instant, answer: Duration) {
    try await connection.call(
      Add.self, Add.Parameters(identifier: "place", condition: condition, assuming: .satisfied))
    let began = clock.now
    let reply: Remove.Reply = try await connection.call(
      Remove.self, ConditionName(identifier: "place"))
    let answer = began.duration(to: clock.now)
    guard let event = reply.event else {
      throw BenchmarkFailure("removing a condition made no event")
    }
    return (event.sequence, began, answer)
  }
}

/// A stopped process, and a reader of one byte per second, both with more to read than a socket holds.
private struct SlowSubscribers {
  private let stopped: RunningProgram
  private let byByte: StreamSocket

  init(_ daemon: DaemonProcess) async throws {
    stopped = try RunningProgram([
      DaemonProcess.program, "ctl", "--socket", daemon.controlSocket, "events", "--follow",
      "--since", "0", "--json",
    ])
    try await daemon.wait(for: "the first line of a subscriber") { [stopped] in
      stopped.lines.isEmpty ? nil : true
    }
    stopped.kill(SIGSTOP)
    byByte = try await Subscriber.call("Events", "{\"since\":0}", daemon)
  }

  /// Reads one byte per second until ``leave()``.
  func readByByte() async {
    while let byte = try? await byByte.read(atMost: 1), !byte.isEmpty {
      do { try await Task.sleep(for: .seconds(1)) } catch { return }
    }
  }

  func leave() async {
    byByte.shutDown()
    await stopped.stop()
  }
}
