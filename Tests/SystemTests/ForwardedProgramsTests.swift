import ControlInterface
import TestSupport
import Testing

extension AsAProcess {
  /// The guide's lines with curl and `mosquitto_pub`, as they are shown but for the server's address.
  @Suite struct ForwardedProgramsTests {
    private let guide: ShownDocument

    init() throws {
      guide = try ShownDocument("Docs/Guide.md")
    }

    /// A shell in which `geofenced` is this daemon's, and the programs it runs have no settings of the user's.
    private func shell(_ script: String, _ daemon: DaemonProcess) -> [String] {
      let environment = [
        "GEOFENCED_SOCKET=\(daemon.controlSocket)", "HOME=\(daemon.folder)", "no_proxy=127.0.0.1",
      ]
      // Brokers are where a user's PATH doesn't lead.
      let programs = "PATH=$PATH:/usr/sbin\ngeofenced() { '\(DaemonProcess.program)' \"$@\"; }\n"
      return ["env"] + environment + ["sh", "-c", programs + script]
    }

    /// Runs a line to its end, for at most five minutes.
    private func run(_ line: String, _ daemon: DaemonProcess) async throws -> [String] {
      let result = try await Command(["timeout", "-k", "1", "300"] + shell(line, daemon)).run()
      #expect(result.status == 0, "\(line): \(result.errors)")
      return result.lines
    }

    /// A daemon with which the programs are run; the test is cancelled where one is missing.
    private func withDaemon(
      and programs: String..., body: (DaemonProcess) async throws -> Void
    ) async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        for program in programs {
          let found = try await Command(shell("command -v \(program)", daemon)).run()
          guard found.status == 0 else { try Test.cancel("\(program) isn't installed") }
        }
        try await body(daemon)
      }
    }

    /// Makes events before and while a line forwards them, and ends it when all are acknowledged.
    private func forward(_ line: String, _ daemon: DaemonProcess) async throws {
      try await daemon.happen(1...3)
      let forwarding = try RunningProgram(shell(line, daemon))
      try await daemon.waitForConsumer("acknowledgement of #3") { $0.cursor == 3 }
      try await daemon.happen(4...5)
      try await daemon.waitForConsumer("acknowledgement of #5") { $0.cursor == 5 }
      await forwarding.stop()
    }

    /// A server that refuses the first request, and says what the others bring.
    private static let server = """
      import http.server

      class Handler(http.server.BaseHTTPRequestHandler):
          hasRefused = False

          def do_POST(self):
              body = self.rfile.read(int(self.headers["Content-Length"])).decode()
              if not Handler.hasRefused:
                  Handler.hasRefused = True
                  self.send_error(503)
                  return
              print(self.path, self.headers["Content-Type"])
              print(body, end="", flush=True)
              self.send_response(204)
              self.end_headers()

      server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
      print(server.server_port, flush=True)
      server.serve_forever()
      """

    @Test func `curl brings a server every event, in order and once`() async throws {
      try await withDaemon(and: "curl", "python3") { daemon in
        let server = try RunningProgram(["python3", "-c", Self.server])
        let port = try await daemon.wait(for: "the server") { server.lines.first }
        try await forward(
          guide.block("sh", with: " -- curl -sf")
            .replacing("https://example.org", with: "http://127.0.0.1:\(port)"), daemon)
        #expect(server.errors.contains("\"POST /events HTTP/1.1\" 503"))
        let said = server.lines.dropFirst()
        let heads = said.filter { !$0.hasPrefix("{") }
        #expect(Set(heads) == ["/events application/x-ndjson"])
        #expect(try sequences(said.filter { $0.hasPrefix("{") }) == [1, 2, 3, 4, 5])
      }
    }

    /// A broker on a port of its own.
    private final class Broker: Sendable {
      private let port: ReservedPort
      private let program: RunningProgram

      /// Options of `mosquitto_pub` and `mosquitto_sub`.
      var options: String { "-h 127.0.0.1 -p \(port.number)" }

      init(_ shell: (String) -> [String]) throws {
        let free = try ReservedPort()
        program = try RunningProgram(shell("mosquitto -p \(free.number)"))
        port = free
      }
    }

    @Test func `mosquitto_pub brings a broker every event, in order and once`() async throws {
      try await withDaemon(and: "mosquitto", "mosquitto_pub", "mosquitto_sub") { daemon in
        let broker = try Broker { shell($0, daemon) }
        defer { withExtendedLifetime(broker) {} }
        // A session that the broker keeps, and what comes for it while nobody reads.
        let read = "mosquitto_sub \(broker.options) -q 1 -i reader -c -t 'geofenced/#'"
        try await daemon.wait(for: "the broker") {
          try await Command(shell("\(read) -E", daemon)).run().status == 0 ? true : nil
        }
        try await forward(
          guide.block("sh", with: " -- mosquitto_pub")
            .replacing("mosquitto_pub", with: "mosquitto_pub \(broker.options)"), daemon)
        _ = try await run("mosquitto_pub \(broker.options) -q 1 -t geofenced/end -m end", daemon)
        let messages = try await run("\(read) -v -C 6", daemon)
        #expect(messages.last == "geofenced/end end")
        let machine = try await run("uname -n", daemon).joined()
        let topic = "geofenced/\(machine) "
        #expect(messages.dropLast().allSatisfy { $0.hasPrefix(topic) }, "\(messages)")
        let events = messages.dropLast().map { String($0.dropFirst(topic.count)) }
        #expect(try sequences(events) == [1, 2, 3, 4, 5])
      }
    }

    @Test func `mosquitto_pub leaves the state of a place with a broker`() async throws {
      try await withDaemon(and: "mosquitto", "mosquitto_pub", "mosquitto_sub", "jq") { daemon in
        let broker = try Broker { shell($0, daemon) }
        defer { withExtendedLifetime(broker) {} }
        try await daemon.add("home", "--assuming", "satisfied")
        let publish = try guide.block("sh", with: "mosquitto_pub -r")
          .replacing("mosquitto_pub", with: "mosquitto_pub \(broker.options)")
        let line = "geofenced ctl list --json | (\(publish))"
        try await daemon.wait(for: "the broker") {
          try await Command(shell(line, daemon)).run().status == 0 ? true : nil
        }
        let kept = try await run("mosquitto_sub \(broker.options) -t 'geofenced/#' -v -C 1", daemon)
        let machine = try await run("uname -n", daemon).joined()
        #expect(kept == ["geofenced/\(machine)/default/home satisfied"])
      }
    }
  }
}
