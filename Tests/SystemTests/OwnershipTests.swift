import ControlInterface
import TestSupport
import Testing

@testable import Varlink

extension InABox {
  /// Two users on one machine: neither reaches what is the other's.
  @Suite struct OwnershipTests {
    @Test func `the table has an entry for every method`() throws {
      let methods = try VarlinkDescription(text: GeofencedInterface.description).methods
      #expect(
        OwnershipTable.entries.map(\.method).sorted() == methods.keys.sorted(),
        "every method of io.geofenced needs an entry in Tests/SystemTests/OwnershipTable.swift")
      for entry in OwnershipTable.entries {
        #expect(!entry.attempts.isEmpty, "\(entry.method)")
      }
    }

    @Test func `a user is refused what is another's, in every call, and root is not`()
      async throws
    {
      try await TwoUsers.with { users in
        let event = try await users.prepare()
        let before = try await users.ownersThings()
        try await attempt(users, event: event)
        let after = try await users.ownersThings()
        #expect(after == before)
        try await reachAsRoot(users, event: event)
      }
    }

    private func attempt(_ users: TwoUsers, event: Int) async throws {
      typealias Try = (entry: OwnershipTable.Entry, attempt: OwnershipTable.Attempt)
      let tries: [Try] = OwnershipTable.entries.flatMap { entry in
        entry.attempts.flatMap { attempt -> [Try] in
          guard case .refused = attempt.expected, !attempt.more else { return [(entry, attempt)] }
          // Who asks for more is refused just as well.
          var following = attempt
          following.more = true
          return [(entry, attempt), (entry, following)]
        }
      }
      let replies = try await users.call(
        as: OwnershipTable.other,
        tries.map {
          .init($0.entry.method, users.filled($0.attempt.parameters, event), more: $0.attempt.more)
        })
      try #require(replies.count == tries.count)
      for ((entry, attempt), reply) in zip(tries, replies) {
        let what = Comment(rawValue: "\(entry.method) \(attempt.parameters): \(reply)")
        switch attempt.expected {
        case .refused(let error):
          #expect(reply.contains("\"error\":\"io.geofenced.\(error)\""), what)
        case .nothing(let something):
          #expect(!reply.contains("\"error\""), what)
          #expect(reply.contains(something), what)
        }
        for mark in OwnershipTable.marks where !attempt.parameters.contains(mark) {
          #expect(!reply.contains(mark), what)
        }
      }
    }

    private func reachAsRoot(_ users: TwoUsers, event: Int) async throws {
      for entry in OwnershipTable.entries {
        guard let (parameters, shows) = entry.byRoot else { continue }
        let reply = try #require(
          try await users.call(
            as: 0,
            [
              .init(
                entry.method, users.filled(parameters, event), more: entry.rootWantsMore)
            ]
          ).first)
        #expect(!reply.contains("\"error\"") && reply.contains(shows), "\(entry.method): \(reply)")
      }
    }

    @Test func `a user has monitors, sessions and consumers of its own under the same names`()
      async throws
    {
      try await TwoUsers.with { users in
        _ = try await users.prepare()
        let (owner, other) = (OwnershipTable.owner, OwnershipTable.other)
        let before = try await users.ownersThings()
        let add = [
          "add", "--lat", "1", "--lon", "1", "--radius", "300", "--id", "shared-home",
        ]
        #expect(try await users.ctl(as: other, add).status == 0)
        let shown = try await users.ctl(as: other, ["show", "shared-home", "--json"]).output
        #expect(shown.contains("\"user\":\(other)") && shown.contains("\"radius\":300"))
        #expect(try await users.ctl(as: other, ["remove", "shared-home"]).status == 0)
        #expect(
          try await users.ctl(as: other, ["events", "--as", "shared-reader"]).lines.count == 1)
        #expect(
          try await users.ctl(as: other, ["consumer", "remove", "shared-reader"]).status == 0)
        let after = try await users.ownersThings()
        #expect(after == before)

        // Root, who sees all of them, is told whose they are; who names a user knows.
        #expect(
          try await users.ctl(as: 0, ["list"]).output.contains("\(owner):default/shared-home "))
        #expect(
          try await users.ctl(as: 0, ["advise", "--json"]).output.contains(#""user":\#(owner)"#))
        #expect(
          try await users.ctl(as: 0, ["events"]).output.contains(" \(owner):default/secret-old"))
        #expect(try await !users.ctl(as: owner, ["list"]).output.contains("\(owner):"))
        #expect(
          try await !users.ctl(as: 0, ["list", "--user", "\(owner)"]).output.contains("\(owner):"))

        // Root reaches each of them by naming the user.
        let consumers = try await users.ctl(as: 0, ["consumer", "list", "--user", "\(owner)"])
        #expect(consumers.output.contains("shared-reader"))
        #expect(try await users.ctl(as: 0, ["list", "--user", "\(other)"]).lines == [])
        #expect(
          try await users.ctl(as: 0, ["show", "shared-home", "--user", "\(owner)"]).output
            .contains(OwnershipTable.latitude))
        // What root writes to a file is its own, unless it says whose.
        #expect(try await users.ctl(as: 0, ["export"]).output == "")
        #expect(
          try await users.ctl(as: 0, ["export", "--user", "\(owner)"]).output
            .contains(OwnershipTable.latitude))
        let refused = try await users.ctl(as: other, ["list", "--user", "\(owner)"])
        #expect(refused.status == 1 && refused.output == "")
      }
    }

    @Test func `who follows hears of its own events only, and a stranger of none`() async throws {
      try await TwoUsers.with { users in
        _ = try await users.prepare()
        let (owner, other) = (OwnershipTable.owner, OwnershipTable.other)
        // All of them end when they hear of the last event, which is the other user's own.
        async let events = users.call(
          as: other, [.init("Events", #"{"since":0}"#, more: true, until: "mine-last")])
        async let consumed = users.call(
          as: other, [.init("Consume", #"{"consumer":"follower"}"#, more: true, until: "mine-last")]
        )
        async let lines = users.call(
          as: other, [.init(onSocket: "/run/geofenced/events", until: "mine-last")])
        async let everybodys = users.call(
          as: 0, [.init(onSocket: "/run/geofenced/events", until: "mine-last")])
        try await users.box.wait(
          for: "the followers", until: ["geofenced", "ctl", "status"]
        ) { status in
          ["events-socket/\(other), ", "follower of user \(other), all monitors, "].allSatisfy {
            who in
            status.lines.contains { $0.contains(who) && $0.hasSuffix(", connected") }
          }
        }
        for (user, name) in [(owner, "secret-late"), (other, "mine-last")] {
          let add = [
            "add", "--lat", "1", "--lon", "1", "--radius", "99", "--id", name, "--assuming",
            "satisfied",
          ]
          #expect(try await users.ctl(as: user, add).status == 0)
          #expect(try await users.ctl(as: user, ["remove", name]).status == 0)
        }
        for heard in [try await events, try await consumed, try await lines] {
          #expect(heard.contains { $0.contains("mine-last") }, "\(heard)")
          for mark in OwnershipTable.marks {
            #expect(!heard.contains { $0.contains(mark) }, "\(heard)")
          }
        }
        // Root's socket has them all.
        #expect(try await everybodys.contains { $0.contains("secret-late") })

        let stranger = try await users.call(
          as: OwnershipTable.stranger,
          [.init("Status", "{}"), .init(onSocket: "/run/geofenced/events", until: "mine-last")])
        #expect(stranger == ["PermissionError", "PermissionError"])
      }
    }
  }
}
