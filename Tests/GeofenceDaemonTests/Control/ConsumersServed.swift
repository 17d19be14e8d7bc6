import ControlInterface
import Foundation
import Geofencing
import LinuxSystem
import MonitorStorage
import Positioning
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// A daemon's control socket, in this process, for tests of named consumers and of changes.
struct ConsumersServed {
  let machine: MonitoringMachine
  let monitoring: Monitoring
  let methods: ControlMethods
  private let server: VarlinkServer

  /// The user that all callers are.
  static let user = getuid()

  private var path: String { machine.directory + "/io.geofenced" }

  /// One of a daemon that is started for it, on a machine of its own where none is given.
  init(
    on machine: MonitoringMachine? = nil, clock: DaemonClock = .system,
    diagnostics: ReceiverDiagnostics = ReceiverDiagnostics(),
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws {
    let machine = try machine ?? MonitoringMachine()
    self.machine = machine
    monitoring = try machine.start(change)
    methods = ControlMethods(
      monitoring, in: machine.directory, diagnostics: diagnostics, clock: clock)
    server = try methods.server()
  }

  /// Serves while the body runs.
  func run(_ body: () async throws -> Void) async throws {
    try await server.run(at: path, body)
  }

  /// A connection of its own.
  func connect() async throws -> sending VarlinkConnection {
    try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs)
  }

  /// Calls a method once.
  @discardableResult
  func call<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    try await connect().call(Method.self, parameters)
  }

  /// The short name of the error that a call ends with; nil when it succeeds.
  func error<Method: ControlMethod>(
    of method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> String? {
    try await errorName { try await call(method, parameters) }
  }

  /// Somebody who holds a consumer for as long as this lives.
  final class Holder {
    private let replies: VarlinkReplySequence<Consume.Reply, Consume.Parameters>.AsyncIterator

    fileprivate init(_ path: String, _ parameters: Consume.Parameters) async throws {
      replies = try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs)
        .stream(Consume.self, parameters)
        .makeAsyncIterator()
    }

    /// The next reply.
    func next() async throws -> Consume.Reply {
      try #require(try await replies.next())
    }

    /// The next events, in as many replies as it takes.
    func events(_ count: Int) async throws -> [Int64] {
      var sequences: [Int64] = []
      while sequences.count < count { sequences += try await next().events.map(\.sequence) }
      return sequences
    }
  }

  /// Begins to hold a consumer.
  func hold(_ name: ConsumerName, since: Int64? = nil) async throws -> Holder {
    try await Holder(path, Consume.Parameters(name, since: since))
  }

  /// What a consumer is given that asks once.
  @discardableResult
  func consume(_ name: ConsumerName, since: Int64? = nil) async throws -> Consume.Reply {
    try await call(Consume.self, Consume.Parameters(name, since: since))
  }

  /// Acknowledges.
  func acknowledge(_ sequence: Int64, by name: ConsumerName) async throws {
    try await call(Acknowledge.self, Acknowledge.Parameters(name, sequence: sequence))
  }

  /// What is known of a consumer.
  func shown(_ name: ConsumerName) async throws -> NamedConsumer? {
    try await call(Consumers.self, Consumers.Parameters()).consumers.first {
      $0.consumer == name.consumer && $0.monitor == name.monitor
    }
  }

  /// Waits until nobody reads as a consumer.
  func waitUntilAway(_ key: ConsumerKey) async throws {
    try await methods.connected.changes.wait { !methods.connected.isConnected(key) }
  }
}

extension Monitoring {
  /// Logs so many events at once.
  func append(
    _ count: Int, user: UInt32 = ConsumersServed.user, monitor: String = "default"
  ) throws {
    let key = ConditionKey(
      monitor: MonitorKey(user: user, name: monitor), identifier: "place")
    _ = try log.append(
      (0..<count).map { _ in
        Decision(
          Transition(
            key: key, kind: .entered, state: .satisfied, previousState: .unsatisfied,
            date: at(0)))
      }, status: { _ in nil }, lastFix: nil, recorded: at(0))
    signal.announce(log.lastSequence)
  }

  /// Drops all events but so many.
  func keep(_ count: Int) throws {
    note(try log.retain(count, since: nil))
  }
}
