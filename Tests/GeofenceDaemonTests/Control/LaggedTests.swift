import ControlInterface
import EventDelivery
import Geofencing
import Glibc
import MonitorStorage
import TestSupport
import Testing
import Varlink

@testable import GeofenceDaemon

/// What is told of events that were removed before they were read.
@Suite(.timeLimit(.minutes(10))) struct LaggedTests {
  private let served: ConsumersServed
  private let name = ConsumerName(monitor: "default", consumer: "reader")

  init() throws { served = try ConsumersServed() }

  @Test func `a consumer is told what it has missed until it acknowledges that`() async throws {
    try await served.run {
      try await served.consume(name)
      try await served.monitoring.append(6)
      try await served.monitoring.append(4, monitor: "work")
      try await served.monitoring.keep(5)
      let lost = Lagged(first: 1, last: 5, events: 5)
      #expect(try await served.shown(name)?.lagged == lost)
      #expect(try await served.shown(name)?.waiting == 1)
      for _ in 1...2 {
        let reply = try await served.consume(name)
        #expect(reply.lagged == lost)
        #expect(reply.events.map(\.sequence) == [6])
      }
      // One that is told says so by acknowledging it, or anything after it.
      try await served.acknowledge(5, by: name)
      let reply = try await served.consume(name)
      #expect(reply.lagged == nil)
      #expect(reply.events.map(\.sequence) == [6])
      #expect(try await served.shown(name)?.lagged == nil)
    }
  }

  @Test func `a consumer is told so also when nothing is left, and while connected`() async throws {
    try await served.run {
      try await served.consume(name)
      try await served.monitoring.append(3)
      try await served.monitoring.keep(0)
      let holder = try await served.hold(name)
      let reply = try await holder.next()
      #expect(reply.events.isEmpty)
      #expect(reply.lagged == Lagged(first: 1, last: 3, events: 3))
      try await served.acknowledge(3, by: name)

      // A hundred are under way, and of the others the log soon knows only the last fifty.
      try await served.monitoring.append(400)
      #expect(try await holder.events(100) == Array(4...103))
      try await served.monitoring.keep(50)
      try await served.acknowledge(103, by: name)
      let late = try await holder.next()
      #expect(late.lagged == Lagged(first: 104, last: 353))
      #expect(late.events.map(\.sequence) == Array(354...403))
      try await served.acknowledge(403, by: name)
      #expect(try await served.shown(name)?.lagged == nil)
      try await served.monitoring.append(1)
      let next = try await holder.next()
      #expect(next.lagged == nil)
      #expect(next.events.map(\.sequence) == [404])
    }
  }

  @Test func `the operator hears when a consumer begins to miss events`() async throws {
    try await served.run {
      try await served.consume(name)
      try await served.monitoring.append(3)
      try await served.monitoring.keep(2)
      try await served.monitoring.keep(1)
      let told = await served.monitoring.takeBeginningToLag()
      #expect(told.map(\.key?.name) == ["reader"])
      #expect(told.first?.lagged == Lagged(first: 1, last: 1, events: 1))
      #expect(await served.monitoring.takeBeginningToLag().isEmpty)
    }
  }

  @Test func `who reads without a name is told which numbers are gone, once`() async throws {
    try await served.monitoring.append(10)
    try await served.monitoring.keep(4)
    try await served.run {
      func events(since: Int64?) async throws -> Events.Reply {
        try await served.call(Events.self, Events.Parameters(since: since))
      }
      #expect(try await events(since: nil).lagged == nil)
      #expect(try await events(since: 0).lagged == nil)
      #expect(try await events(since: 2).lagged == Lagged(first: 3, last: 6))
      #expect(try await events(since: 2).events.map(\.sequence) == [7, 8, 9, 10])
      #expect(try await events(since: 6).lagged == nil)

      let replies = try await served.connect()
        .stream(Events.self, Events.Parameters(monitor: "elsewhere", since: 2)).makeAsyncIterator()
      let first = try #require(try await replies.next())
      #expect(first.lagged == Lagged(first: 3, last: 6) && first.events.isEmpty)
      try await served.monitoring.append(1, monitor: "elsewhere")
      let second = try #require(try await replies.next())
      #expect(second.lagged == nil && second.events.map(\.sequence) == [11])
    }
  }

  @Test func `a new consumer is told which numbers are gone after the one that it names`()
    async throws
  {
    try await served.monitoring.append(10)
    try await served.monitoring.keep(4)
    try await served.run {
      for (since, lagged) in [
        (nil, nil), (0, nil), (2, Lagged(first: 3, last: 6)), (6, nil), (8, nil), (99, nil),
      ] as [(Int64?, Lagged?)] {
        let name = ConsumerName(monitor: "default", consumer: "from-\(since ?? -1)")
        for _ in 1...2 {
          let reply = try await served.consume(name, since: since)
          #expect(reply.lagged == lagged)
          let first = max(since ?? 0, 6) + 1
          #expect(reply.events.map(\.sequence) == (first > 10 ? [] : Array(first...10)))
        }
      }
    }
  }

  @Test func `the journal gets one entry about what it hasn't got`() {
    let fields = JournalEntry.fields(of: Lagged(first: 3, last: 9, events: 5))
      .map { "\($0.name)=\($0.value)" }
    #expect(
      fields == [
        "MESSAGE=5 events from #3 to #9 left the log before the journal had them",
        "MESSAGE_ID=\(JournalEntry.missedMessageID)", "PRIORITY=4", "SYSLOG_IDENTIFIER=geofenced",
        "GEOFENCE_MISSED_FIRST=3", "GEOFENCE_MISSED_LAST=9", "GEOFENCE_MISSED=5",
      ])
    #expect(!EventKind.allCases.map(JournalEntry.messageID).contains(JournalEntry.missedMessageID))
  }

  // MARK: Status

  @Test func `status shows a user its own consumers, and root all`() async throws {
    let (user, other) = (ConsumersServed.user, ConsumersServed.user + 1)
    let monitoring = served.monitoring
    func place(_ key: ConsumerKey, _ filter: EventReader.Filter) async throws {
      _ = try await monitoring.consumer(key, reading: filter, since: nil)
    }
    try await place(
      ConsumerKey(owner: user, monitor: "default", name: "reader"),
      .init(user: user, monitor: "default"))
    try await place(ConsumerKey(owner: other, monitor: nil, name: "theirs"), .init(user: other))
    for name in ["journal", "events-socket/\(user)", "events-socket/\(other)"] {
      let reads = name.hasPrefix("events") ? UInt32(name.split(separator: "/")[1]) : nil
      _ = try await monitoring.register(EventConsumer(name: name, user: reads))
    }
    try await monitoring.append(4)
    try await monitoring.append(3, user: other)
    try await monitoring.append(2, monitor: "work")
    try await monitoring.keep(8)

    func shown(to user: UInt32) async -> [String] {
      await served.methods.status.reply(toUser: user).consumers.map { consumer in
        "\(consumer.name) \(consumer.user.map(String.init) ?? "-") \(consumer.monitor ?? "-") "
          + "\(consumer.waiting) \(consumer.lagged?.events ?? 0) "
          + (consumer.connected.map { $0 ? "connected" : "away" } ?? "-")
      }.sorted()
    }
    let own = [
      "events-socket/\(user) - - 5 1 away", "reader \(user) default 3 1 away",
    ]
    let theirs = ["events-socket/\(other) - - 3 0 away", "theirs \(other) - 3 0 away"]
    #expect(await shown(to: other) == theirs)
    if user != 0 { #expect(await shown(to: user) == own) }
    #expect(await shown(to: 0) == (own + theirs + ["journal - - 8 1 -"]).sorted())
    #expect(await shown(to: other + 1) == [])
    let holder = try served.methods.connected.hold(
      ConsumerKey(owner: other, monitor: nil, name: "theirs"))
    #expect(await shown(to: other).last?.hasSuffix(" connected") == true)
    served.methods.connected.release(
      holder, of: ConsumerKey(owner: other, monitor: nil, name: "theirs"))
  }
}
