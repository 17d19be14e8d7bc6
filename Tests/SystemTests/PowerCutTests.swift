import TestSupport
import Testing

extension InABox {
  /// The same as on one machine, with the power cut: programs and daemon come back as units do.
  @Suite struct PowerCutTests {
    /// What a round ends.
    private enum Victim: CaseIterable {
      case program
      case daemon
      case both
      case machine
    }

    /// How often each of them is ended.
    private static let rounds = 8

    private static let handled = "/var/lib/handled"

    /// The conditions whose removal was answered.
    private static let answered = "/var/lib/answered"

    /// Makes events for as long as it runs: a condition that is assumed satisfied and then removed.
    private static let maker = """
      import json, socket, time

      stream = socket.socket(socket.AF_UNIX)
      stream.connect("/run/geofenced/io.geofenced")
      file = stream.makefile("rb")

      def call(method, **parameters):
          request = {"method": "io.geofenced." + method, "parameters": parameters}
          stream.sendall(json.dumps(request).encode() + b"\\0")
          reply = b""
          while not reply.endswith(b"\\0"):
              byte = file.read(1)
              if not byte:
                  raise SystemExit(1)
              reply += byte

      circle = {"circle": {"center": {"latitude": 48.0, "longitude": 16.0}, "radius": 100.0}}
      answered = open("\(answered)", "a")
      while True:
          name = "event-%d" % time.time_ns()
          call("Add", monitor="matrix", identifier=name, condition=circle, assuming="satisfied")
          call("Remove", monitor="matrix", identifier=name)
          print(name, file=answered, flush=True)
          time.sleep(0.01)
      """

    private func unit(_ command: String) -> String {
      """
      [Unit]
      After=geofenced.service
      StartLimitIntervalSec=0
      [Service]
      ExecStart=\(command)
      Environment=SWIFT_BACKTRACE=enable=no
      Restart=always
      RestartSec=100ms
      [Install]
      WantedBy=multi-user.target

      """
    }

    @Test func `every event is handled, whatever is killed and whenever the power is cut`()
      async throws
    {
      let seed = UInt64.random(in: 0 ... .max)
      var random = SplitMix64(seed: seed)
      try await InstalledBox.with { installed in
        let box = installed.box
        try await box.copy(
          SystemBox.repository + ".build/debug/event-handler", to: "/usr/local/bin/event-handler")
        try await box.write(Self.maker, to: "/usr/local/lib/make-events.py")
        try await box.write(
          unit("/usr/local/bin/event-handler \(Self.handled) matrix"),
          to: "/etc/systemd/system/event-handler.service")
        try await box.write(
          unit("/usr/bin/python3 /usr/local/lib/make-events.py"),
          to: "/etc/systemd/system/make-events.service")
        // The daemon is killed more often than somebody would bear with.
        try await box.check(["mkdir", "-p", "/etc/systemd/system/geofenced.service.d"])
        try await box.write(
          "[Unit]\nStartLimitIntervalSec=0\n[Service]\nRestartSec=100ms\n",
          to: "/etc/systemd/system/geofenced.service.d/restart.conf")
        try await box.check(["systemctl", "daemon-reload"])
        let units = ["geofenced.socket", "geofenced.service", "event-handler", "make-events"]
        try await box.check(["systemctl", "enable", "--now"] + units)

        func words() async throws -> HandledEvents {
          try HandledEvents(try await box.run(["cat", Self.handled]).output)
        }
        func waitForMore() async throws {
          let known = try await words().words.count
          try await box.wait(
            for: "more events (seed \(seed))", until: ["cat", Self.handled]
          ) { try HandledEvents($0.output).words.count > known }
        }
        let victims = Array(repeating: Victim.allCases, count: Self.rounds).flatMap { $0 }
        for victim in victims.shuffled(using: &random) {
          try await waitForMore()
          try await Task.sleep(for: .milliseconds(Int.random(in: 0...200, using: &random)))
          switch victim {
          case .program: try await box.check(["systemctl", "kill", "-s", "KILL", "event-handler"])
          case .daemon: try await box.check(["systemctl", "kill", "-s", "KILL", "geofenced"])
          case .both:
            try await box.check(["systemctl", "kill", "-s", "KILL", "geofenced", "event-handler"])
          case .machine: try await box.cutPower()
          }
        }
        try await waitForMore()
        try await box.check(["systemctl", "stop", "make-events"])
        let events = try await installed.events()
        // What was answered has happened, whatever was cut afterwards.
        let removed = Set(try await box.check(["cat", Self.answered]).lines)
        let ended = events.filter { $0.kind == "unmonitored" }.map(\.identifier)
        #expect(removed.subtracting(ended) == [], "seed \(seed)")
        #expect(removed.count > victims.count)
        let log = events.map { Int64($0.sequence) }
        try await box.wait(
          for: "the last event (seed \(seed))", until: ["cat", Self.handled]
        ) {
          try HandledEvents($0.output).firsts.last == log.last
        }
        try await words().expectWhole(
          log, "seed \(seed), \(victims.count) rounds, \(log.count) events")
        #expect(log.count > victims.count)
      }
    }
  }
}
