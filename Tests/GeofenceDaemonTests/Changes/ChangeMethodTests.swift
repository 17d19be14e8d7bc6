import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// The method `Change` over connections, in parts, beside others, and cut off.
@Suite(.timeLimit(.minutes(10))) struct ChangeMethodTests: MonitoringSuite {
  private let served: ConsumersServed
  var machine: MonitoringMachine { served.machine }

  init() throws { served = try ConsumersServed() }

  private func circles(_ names: some Sequence<String>, _ radius: Double = 100) throws
    -> [NewCondition]
  {
    try names.map { NewCondition(identifier: $0, condition: try circle(radius)) }
  }

  private func call(
    _ connection: VarlinkConnection, _ names: [String], of change: String? = nil,
    unfinished: Bool? = nil, monitor: String? = nil, sync: Bool? = nil
  ) async throws -> Change.Reply {
    var parameters = Change.Parameters(monitor: monitor, conditions: try circles(names))
    parameters.change = change
    parameters.unfinished = unfinished
    parameters.sync = sync
    return try await connection.call(Change.self, parameters)
  }

  /// The short name of the error that such a call ends with.
  private func refusal(
    _ connection: VarlinkConnection, _ names: [String], of change: String? = nil,
    unfinished: Bool? = nil, monitor: String? = nil, sync: Bool? = nil
  ) async throws -> String? {
    try await errorName {
      try await call(
        connection, names, of: change, unfinished: unfinished, monitor: monitor, sync: sync)
    }
  }

  @Test func `parts become one change with the last one, and not before`() async throws {
    try await served.run {
      let connection = try await served.connect()
      let first = try await call(connection, ["a", "b"], unfinished: true)
      let token = try #require(first.change)
      let second = try await call(connection, ["c"], of: token, unfinished: true)
      #expect(second == first)
      #expect(await served.monitoring.engine.count == 0)
      let last = try await call(connection, ["d"], of: token)
      #expect(last.added == 4 && last.change == nil && last.differences == [])
      #expect(await served.monitoring.engine.count == 4)
      #expect(served.methods.changes.count == 0)
      // It is over: a part more isn't a change of its own.
      #expect(try await refusal(connection, ["e"], of: token) == "NoSuchChange")
      #expect(await served.monitoring.engine.count == 4)
    }
  }

  @Test func `the differences come in pages, with more only`() async throws {
    try await served.run {
      let connection = try await served.connect()
      let names = (0..<2_500).map { String(format: "n%04d", $0) }
      var parameters = Change.Parameters(conditions: try circles(names.reversed()))
      parameters.dryRun = true
      var pages: [Int] = []
      var told: [String] = []
      for try await reply in connection.stream(Change.self, parameters) {
        pages.append(reply.differences.count)
        told += reply.differences.map(\.identifier)
      }
      #expect(pages == [1_000, 1_000, 500, 0])
      #expect(told == names)
      #expect(await served.monitoring.engine.count == 0)
      let once: Change.Reply = try await connection.call(Change.self, parameters)
      #expect(once.added == 2_500 && once.differences == [])
    }
  }

  @Test func `what belongs to the last part is refused before it`() async throws {
    try await served.run {
      let connection = try await served.connect()
      #expect(
        try await refusal(connection, ["a"], unfinished: true, sync: true) == "InvalidParameter")
      var rehearsal = Change.Parameters(monitor: nil, conditions: try circles(["a"]))
      rehearsal.unfinished = true
      rehearsal.dryRun = true
      let error = await #expect(throws: VarlinkError.self) {
        try await connection.call(Change.self, rehearsal)
      }
      #expect(error?.description.contains("'dryRun' belongs to the last part") == true)
      #expect(served.methods.changes.count == 0)
    }
  }

  @Test func `a part that is wrong ends the change`() async throws {
    try await served.run {
      let connection = try await served.connect()
      for wrong in [["a"], ["no name"]] {
        let token = try #require(try await call(connection, ["a"], unfinished: true).change)
        #expect(
          try await refusal(connection, wrong, of: token, unfinished: true) == "InvalidCondition")
        #expect(try await refusal(connection, ["b"], of: token, sync: true) == "NoSuchChange")
      }
      #expect(served.methods.changes.count == 0)
      #expect(await served.monitoring.engine.count == 0)
    }
  }

  /// Who writes the next part without waiting for the reply must not have half of it made equal to the monitor.
  @Test func `a part that can't even be read ends the change`() async throws {
    struct Unreadable: Encodable {
      let change: String
      let unfinished = true
      let conditions = [["identifier": 5]]
    }
    try await served.run {
      let connection = try await served.connect()
      _ = try await call(connection, ["a", "b"])
      for isMonitorWrong in [false, true] {
        let token = try #require(try await call(connection, ["a"], unfinished: true).change)
        let name = try await errorName {
          guard isMonitorWrong else {
            let reply: Change.Reply = try await connection.call(
              "io.geofenced.Change", Unreadable(change: token))
            return reply
          }
          return try await call(connection, [], of: token, unfinished: true, monitor: "no name")
        }
        #expect(name == (isMonitorWrong ? "InvalidCondition" : "InvalidParameter"))
        #expect(served.methods.changes.count == 0)
        #expect(try await refusal(connection, [], of: token, sync: true) == "NoSuchChange")
      }
      #expect(await served.monitoring.engine.count == 2)
    }
  }

  @Test func `a change belongs to its connection and monitor, and ends with them`() async throws {
    try await served.run {
      let other = try await served.connect()
      do {
        let connection = try await served.connect()
        let token = try #require(try await call(connection, ["a"], unfinished: true).change)
        #expect(try await refusal(other, ["b"], of: token) == "NoSuchChange")
        // Nor does a part that is wrong end it from there.
        #expect(try await refusal(other, ["no name"], of: token) == "InvalidCondition")
        #expect(
          try await call(connection, ["b"], of: token, unfinished: true).change == token)
        #expect(try await refusal(connection, ["b"], of: token, monitor: "work") == "NoSuchChange")
        // Another one on the same connection takes its place.
        var last = token
        for _ in 1...2 {
          let next = try #require(try await call(connection, ["c"], unfinished: true).change)
          #expect(next != last && served.methods.changes.count == 1)
          last = next
        }
        #expect(try await refusal(connection, ["b"], of: token) == "NoSuchChange")
      }
      // The connection is closed with its last reference.
      while served.methods.changes.count > 0 { await Task.yield() }
      #expect(await served.monitoring.engine.count == 0)
    }
  }

  @Test func `a change waits a quarter of an hour for its next part`() async throws {
    try await served.run {
      let connection = try await served.connect()
      let before = served.methods.clock.uptime()
      let token = try #require(try await call(connection, ["a"], unfinished: true).change)
      let after = served.methods.clock.uptime()
      served.methods.changes.expire(at: before + .seconds(900))
      #expect(served.methods.changes.count == 1)
      served.methods.changes.expire(at: after + .seconds(901))
      #expect(served.methods.changes.count == 0)
      #expect(try await refusal(connection, [], of: token, sync: true) == "NoSuchChange")
    }
  }

  @Test func `a user may have so much under way, over all connections`() async throws {
    let served = try ConsumersServed {
      $0.limits.maximumConditionsPerUser = 20
    }
    try await served.run {
      var connections: [VarlinkConnection] = []
      for number in 0..<8 {
        connections.append(try await served.connect())
        _ = try await call(
          connections[number], ["a\(number)", "b\(number)"], unfinished: true)
      }
      let ninth = try await served.connect()
      #expect(try await refusal(ninth, ["x"], unfinished: true) == "QuotaExceeded")
      connections.removeLast()
      while served.methods.changes.count > 7 { await Task.yield() }
      let six = (0..<6).map { "x\($0)" }
      let token = try await call(ninth, six, unfinished: true).change
      #expect(try await refusal(ninth, ["y"], of: token, unfinished: true) == "QuotaExceeded")
      #expect(served.methods.changes.count == 7)
    }
  }

  @Test func `a user may have so many positions under way, over all connections`() async throws {
    let served = try ConsumersServed {
      $0.limits.maximumVerticesPerUser = 12
    }
    try await served.run {
      let (first, second) = (try await served.connect(), try await served.connect())
      func hand(_ identifiers: [String], over connection: VarlinkConnection) async throws {
        let polygon = try #require(try Shapes.allKinds()["polygon"])
        var parameters = Change.Parameters(
          conditions: identifiers.map { NewCondition(identifier: $0, condition: polygon) })
        parameters.unfinished = true
        let _: Change.Reply = try await connection.call(Change.self, parameters)
      }
      try await hand(["a", "b"], over: first)
      #expect(
        try await errorName { try await hand(["c", "d"], over: second) } == "QuotaExceeded")
      #expect(served.methods.changes.count == 1)
      try await hand(["c"], over: second)
    }
  }

  @Test func `a change may replace all that there may be`() async throws {
    let served = try ConsumersServed {
      $0.limits.maximumConditionsPerUser = 3
    }
    try await served.run {
      let connection = try await served.connect()
      _ = try await call(connection, ["a", "b", "c"])
      var parameters = Change.Parameters(conditions: try circles(["d", "e", "f"]))
      parameters.remove = ["a", "b", "c"]
      parameters.unfinished = true
      let first: Change.Reply = try await connection.call(Change.self, parameters)
      let last = try await call(connection, [], of: first.change)
      #expect(last.added == 3 && last.removed == 3)
      // There can't be more to remove.
      parameters.remove = ["a", "b", "c", "g"]
      let more = try await errorName { try await connection.call(Change.self, parameters) }
      #expect(more == "QuotaExceeded")
    }
  }

  @Test func `changes at the same time follow each other whole`() async throws {
    try await served.run {
      let names = (0..<200).map { "n\($0)" }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for radius in 1...6 {
          group.addTask {
            var parameters = Change.Parameters(
              conditions: try circles(names + ["only-\(radius)"], Double(radius)))
            parameters.sync = true
            let reply = try await served.call(Change.self, parameters)
            #expect(reply.added + reply.replaced == 201)
            #expect(reply.removed == (reply.replaced == 0 ? 0 : 1))
          }
        }
        try await group.waitForAll()
      }
      let records = try await served.monitoring.page(maximumBytes: .max).records
      #expect(records.count == 201)
      #expect(Set(records.map(\.condition)).count == 1)
      #expect(try await machine.start().summary(ofUser: nil).conditions == 201)
    }
  }

  @Test func `every kind of condition comes back as it was given`() async throws {
    let kinds = try Shapes.allKinds()
    try await served.run {
      let connection = try await served.connect()
      var parameters = Change.Parameters(
        conditions: kinds.map { NewCondition(identifier: $0.key, condition: $0.value) })
      let reply: Change.Reply = try await connection.call(Change.self, parameters)
      #expect(reply.added == kinds.count)
      parameters.sync = true
      let again: Change.Reply = try await connection.call(Change.self, parameters)
      #expect(again.unchanged == kinds.count && again.added + again.replaced + again.removed == 0)
      let list: List.Reply = try await connection.call(List.self, List.Parameters())
      #expect(
        Dictionary(uniqueKeysWithValues: list.records.map { ($0.identifier, $0.condition) })
          == kinds)
      for (identifier, condition) in kinds {
        let name = ConditionName(identifier: identifier)
        let record: Record.Reply = try await connection.call(Record.self, name)
        #expect(record.record.condition == condition)
        // And one by one they get names that say what they are, the same ones each time.
        for outcome in [Add.Outcome.added, .unchanged] {
          let added: Add.Reply = try await connection.call(
            Add.self, Add.Parameters(monitor: "named", condition: condition))
          #expect(added.outcome == outcome)
          #expect(Identifier.isValid(added.record.identifier))
        }
      }
    }
  }
}
