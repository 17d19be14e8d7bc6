import ControlInterface
import Geofencing
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

extension InTrouble {
  /// A daemon that is there, and has too much to do for some of its callers.
  @Suite struct BusyDaemonTests {
    /// Answers who follows the events: each time with the next of these, and then with what ends it.
    private static func server(_ answers: [Result<Events.Reply, VarlinkError>]) throws
      -> VarlinkServer
    {
      let left = Mutex(answers)
      return try .scripted([
        Status.name: .call { (_: NoParameters, _) in
          var reply = Status.Reply(
            receiver: Status.Receiver(address: "localhost:2947"),
            storage: Status.Storage(path: "/"))
          reply.log = "log"
          return reply
        },
        Events.name: .stream {
          (_: Events.Parameters, _, replies: VarlinkReplies<Events.Reply>) -> Events.Reply in
          while let answer = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            try await replies.send(answer.get())
          }
          throw VarlinkError("io.geofenced.InternalError", message: "the end")
        },
      ])
    }

    @Test func `who follows asks again where the daemon was busy, and not where it has failed`()
      async throws
    {
      let key = ConditionKey(monitor: MonitorKey(user: 0, name: "trip"), identifier: "home")
      let event = Event(
        sequence: 1, log: "log", recorded: nil,
        transition: Transition(
          key: key, kind: .entered, state: .satisfied, previousState: .unsatisfied,
          date: Timestamp(nanoseconds: 0)))
      let server = try Self.server([
        .failure(VarlinkError("io.geofenced.TooManyRequests", message: "slower")),
        .failure(VarlinkError("io.geofenced.TooManyConnections", message: "later")),
        .success(Events.Reply(events: [event])),
      ])
      try await withTemporaryDirectory { directory in
        let listener = try ListeningSocket(path: directory + "/socket")
        let path = listener.path
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { await server.run(on: listener) }
          let result = try await DaemonProcess.run(
            ["ctl", "--socket", path, "events", "--follow", "--since", "0"])
          group.cancelAll()
          #expect(result.status == 1)
          #expect(result.output.contains("home") && result.errors.contains("the end"))
          #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
      }
    }
  }
}
