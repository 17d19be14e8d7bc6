import ControlInterface
import Foundation
import Geofencing
import LinuxSystem
import MonitorStorage
import Positioning
import Synchronization
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// Background activity sessions over the control socket.
@Suite(.timeLimit(.minutes(10))) struct SessionMethodsTests {
  private let clock = ManualClock()
  private let folder: TemporaryFolder
  private let configuration = ConfigurationStore(Configuration())
  private let sessions: BackgroundSessions
  private let server: VarlinkServer
  /// What was told of sessions, in order.
  private let told = Told()
  private let date = at(0)

  private var path: String { folder.path + "/io.geofenced" }

  init() throws {
    folder = try TemporaryFolder()
    let (clock, date, configuration) = (clock, date, configuration)
    let time = DaemonClock(
      sleeping: clock, uptime: { clock.now.offset }, now: { date + clock.now.offset })
    let settings: @Sendable () -> Configuration = { configuration.current }
    let database = try MonitorDatabase(directory: folder.path, now: date)
    let monitoring = try Monitoring(database, settings: Configuration(), clock: time)
    sessions = BackgroundSessions(configuration: settings, clock: time)
    let methods = ControlMethods(
      monitoring, in: folder.path, configuration: settings, sessions: sessions, clock: time)
    server = try methods.server()
  }

  private final class Told: Sendable {
    private let lines = Mutex<[String]>([])
    let count = SequenceSignal(latest: 0)

    func take(_ key: SessionRegistry.Key, _ lives: Bool) {
      let count = lines.withLock { lines in
        lines.append("\(lives ? "+" : "-")\(key.user == getuid() ? "" : "?")\(key.name)")
        return lines.count
      }
      self.count.announce(Int64(count))
    }

    /// The first so many lines, when there are so many.
    func first(_ number: Int) async throws -> [String] {
      try await count.wait(after: Int64(number) - 1)
      return lines.withLock { Array($0.prefix(number)) }
    }
  }

  /// Serves, and ends what lapses, while the body runs.
  private func serving(_ body: () async throws -> Void) async throws {
    try await server.run(
      at: path, beside: { [sessions, told] in await sessions.watch(told.take) }, body)
  }

  /// A client that holds a session while it lives.
  private final class Client {
    private let replies: VarlinkReplySequence<Session.Reply, SessionName>.AsyncIterator

    init(_ path: String, _ name: String, user: UInt32? = nil) async throws {
      replies = try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs)
        .stream(Session.self, SessionName(user: user, name: name)).makeAsyncIterator()
    }

    func next() async throws -> Session.Reply? { try await replies.next() }
  }

  private func list() async throws -> [BackgroundSession] {
    try await call(Sessions.self, Sessions.Parameters()).sessions
  }

  private func call<Method: ControlMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    try await VarlinkConnection.connect(toPath: path, replyTimeout: .untilItHangs).call(
      Method.self, parameters)
  }

  /// Waits until the sessions are in a state.
  private func wait(until isReached: ([BackgroundSession]) -> Bool) async throws {
    try await sessions.changes.wait { isReached(sessions.list(ofUser: nil)) }
  }

  @Test func `a session lives with its connection, and a while longer`() async throws {
    try await serving {
      var client: Client? = try await Client(path, "trip")
      let reply = try await client?.next()
      #expect(
        reply == Session.Reply(user: getuid(), name: "trip", outcome: .begun, since: date))
      #expect(sessions.list(ofUser: nil).count == 1)
      var listed = try await list()
      #expect(
        listed == [
          BackgroundSession(user: getuid(), name: "trip", since: date, holders: 1, lapses: nil)
        ])
      clock.advance(by: .seconds(1000))
      client = nil
      try await wait { $0.first?.holders == 0 }
      listed = try await list()
      #expect(listed.map(\.lapses) == [date + .seconds(1060)])
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(59))
      #expect(sessions.list(ofUser: nil).count == 1)
      clock.advance(by: .seconds(1))
      try await wait { $0.isEmpty }
      #expect(try await list() == [])
      #expect(try await told.first(2) == ["+trip", "-trip"])
    }
  }

  @Test func `a client that comes back in time rejoins it`() async throws {
    try await serving {
      var client: Client? = try await Client(path, "trip")
      _ = try await client?.next()
      client = nil
      try await wait { $0.first?.holders == 0 }
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(59))
      client = try await Client(path, "trip")
      let reply = try await client?.next()
      #expect(
        reply == Session.Reply(user: getuid(), name: "trip", outcome: .rejoined, since: date))
      clock.advance(by: .seconds(1000))
      #expect(sessions.list(ofUser: nil).count == 1)
      client = nil
      try await wait { $0.first?.holders == 0 }
      // The old grace time doesn't count, the new one does.
      #expect(sessions.list(ofUser: nil).map(\.lapses) == [date + .seconds(1119)])
    }
  }

  @Test func `two clients share a session of the same name`() async throws {
    try await serving {
      let first = try await Client(path, "trip")
      _ = try await first.next()
      var second: Client? = try await Client(path, "trip")
      #expect(try await second?.next()?.outcome == .rejoined)
      #expect(sessions.list(ofUser: nil).count == 1)
      second = nil
      try await wait { $0.first?.holders == 1 }
      #expect(sessions.list(ofUser: nil).map(\.lapses) == [nil])
      withExtendedLifetime(first) {}
    }
  }

  @Test func `ending a session tells all who hold it`() async throws {
    try await serving {
      let (first, second) = (try await Client(path, "trip"), try await Client(path, "trip"))
      let other = try await Client(path, "other")
      _ = (try await first.next(), try await second.next(), try await other.next())
      _ = try await call(InvalidateSession.self, .init(SessionName(name: "trip")))
      for client in [first, second] {
        let error = try await #require(throws: VarlinkError.self) { try await client.next() }
        #expect(error.name == "io.geofenced.SessionInvalidated")
        #expect(error.message == "the session 'trip' was ended")
      }
      #expect(sessions.list(ofUser: nil).map(\.name) == ["other"])
      #expect(try await told.first(3).last == "-trip")
      let error = try await #require(throws: VarlinkError.self) {
        _ = try await call(InvalidateSession.self, .init(SessionName(name: "trip")))
      }
      #expect(error.name == "io.geofenced.NoSuchSession")
      withExtendedLifetime(other) {}
    }
  }

  @Test func `one that somebody holds goes on, where the caller wants it so`() async throws {
    try await serving {
      var client: Client? = try await Client(path, "trip")
      _ = try await client?.next()
      func end() async throws -> Int? {
        try await call(
          InvalidateSession.self, .init(SessionName(name: "trip"), unlessHeld: true)
        ).holders
      }
      #expect(try await end() == 1)
      #expect(sessions.list(ofUser: nil).count == 1)
      client = nil
      try await wait { $0.first?.holders == 0 }
      #expect(try await end() == nil)
      #expect(sessions.list(ofUser: nil).count == 0)
    }
  }

  @Test func `the grace time and the quota are those of the configuration`() async throws {
    var changed = Configuration()
    changed.receiver.sessionGrace = .seconds(5)
    changed.limits.maximumSessionsPerUser = 1
    configuration.replace(with: changed)
    try await serving {
      var client: Client? = try await Client(path, "trip")
      _ = try await client?.next()
      let more = try await Client(path, "more")
      let error = try await #require(throws: VarlinkError.self) { try await more.next() }
      #expect(error.name == "io.geofenced.QuotaExceeded")
      client = nil
      try await wait { $0.first?.holders == 0 }
      #expect(sessions.list(ofUser: nil).map(\.lapses) == [date + .seconds(5)])
    }
  }

  @Test func `a caller that takes one reply only can't hold a session`() async throws {
    try await serving {
      let error = try await #require(throws: VarlinkError.self) {
        _ = try await call(Session.self, SessionName(name: "trip"))
      }
      #expect(error.standard == .expectedMore)
      #expect(sessions.list(ofUser: nil).count == 0)
    }
  }

  @Test(arguments: ["", "a b", "ü", "a/b", "x\u{0}", String(repeating: "x", count: 129)])
  func `a name that is none is refused`(name: String) async throws {
    try await serving {
      let client = try await Client(path, name)
      let error = try await #require(throws: VarlinkError.self) { try await client.next() }
      #expect(error.standard == .invalidParameter)
      let ending = try await #require(throws: VarlinkError.self) {
        _ = try await call(InvalidateSession.self, .init(SessionName(name: name)))
      }
      #expect(ending.standard == .invalidParameter)
      #expect(sessions.list(ofUser: nil).count == 0)
    }
  }

  @Test func `only root holds, sees and ends the sessions of others`() async throws {
    try await serving {
      let client = try await Client(path, "trip", user: 4321)
      guard getuid() == 0 else {
        let error = try await #require(throws: VarlinkError.self) { try await client.next() }
        #expect(error.name == "io.geofenced.PermissionDenied")
        return
      }
      #expect(try await client.next()?.user == 4321)
      #expect(try await list().map(\.user) == [4321])
      #expect(try await call(Sessions.self, Sessions.Parameters(user: 0)).sessions == [])
      _ = try await call(InvalidateSession.self, .init(SessionName(user: 4321, name: "trip")))
      #expect(sessions.list(ofUser: nil).count == 0)
    }
  }

  @Test func `when the daemon ends, the client is told by the end of the connection`() async throws
  {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let listener = try ListeningSocket(path: path)
      group.addTask { [server] in await server.run(on: listener) }
      let client = try await Client(path, "trip")
      _ = try await client.next()
      group.cancelAll()
      await #expect(throws: VarlinkConnectionError.closed) { try await client.next() }
      try await group.waitForAll()
    }
    #expect(sessions.list(ofUser: nil).map(\.holders) == [0])
  }
}
