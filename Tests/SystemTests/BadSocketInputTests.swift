import ControlInterface
import LinuxSystem
import TestSupport
import Testing

extension InTrouble {
  /// What no program should write to a socket harms only who writes it.
  @Suite struct BadSocketInputTests {
    @Test func `a line of ten megabytes on the control socket costs only its caller`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let socket = try await StreamSocket.connect(toPath: daemon.controlSocket)
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)
        try? await socket.write(line, timeout: .untilItHangs)
        let answer = try await Self.answer(on: socket)
        #expect(answer.contains("io.geofenced.MessageTooLong"))
        #expect(answer.contains("a message may have at most 8388608 bytes"))
        #expect(try await daemon.status().conditions == 0)
      }
    }

    @Test func `half an object and then silence on the control socket is not waited for`()
      async throws
    {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let socket = try await StreamSocket.connect(toPath: daemon.controlSocket)
        try await socket.write(Array(#"{"method": "io.geofenced.Add", "para"#.utf8))
        // Others are served meanwhile.
        #expect(try await daemon.ctl(["add"] + BadInputTests.place).status == 0)
        let answer = try await Self.answer(on: socket)
        #expect(answer.contains("io.geofenced.MalformedMessage"))
        #expect(answer.contains("the message was not complete in time"))
        #expect(try await daemon.status().conditions == 1)
      }
    }

    @Test(arguments: [
      "null", "[]", "7", "{}", "{\"method\": 7}", "{\"method\": \"\"}",
      "{\"method\": \"io.geofenced.Add\"}", "\u{1}\u{2}\u{3}",
      "{\"method\": \"io.geofenced.Add\", \"parameters\": {\"condition\": {\"circle\": {\"center\":"
        + " {\"latitude\": 91, \"longitude\": 0}, \"radius\": 100}}}}",
      "{\"method\": \"io.geofenced.Add\", \"parameters\": {\"condition\": {\"circle\": {\"center\":"
        + " {\"latitude\": 1e400, \"longitude\": 0}, \"radius\": 100}}}}",
      "{\"method\": \"io.geofenced.Add\", \"parameters\": {\"identifier\": \"a\\nb\", \"condition\":"
        + " {\"circle\": {\"center\": {\"latitude\": 1, \"longitude\": 0}, \"radius\": 100}}}}",
      "{\"method\": \"io.geofenced.Add\", \"parameters\": {\"condition\": {\"enterAfter\": 1e300,"
        + " \"circle\": {\"center\": {\"latitude\": 1, \"longitude\": 0}, \"radius\": 100}}}}",
      "{\"method\": \"io.geofenced.Add\", \"parameters\": {\"assuming\": \"unmonitored\","
        + " \"condition\": {\"circle\": {\"center\": {\"latitude\": 1, \"longitude\": 0},"
        + " \"radius\": 100}}}}",
      "{\"method\": \"io.geofenced.Events\", \"parameters\": {\"since\": 1e30}}",
      "{\"method\": \"io.geofenced.Nothing\"}", "{\"method\": \"org.nowhere.Nothing\"}",
    ])
    func `a request that makes no sense is answered with an error`(request: String) async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let socket = try await StreamSocket.connect(toPath: daemon.controlSocket)
        try await socket.write(Array(request.utf8) + [0])
        var frames = FrameBuffer(delimiter: 0, limit: 1 << 20)
        var reply: [UInt8]?
        while reply == nil, let bytes = try await socket.read(timeout: .untilItHangs),
          !bytes.isEmpty
        {
          frames.append(bytes)
          if case .frame(let frame)? = frames.next() { reply = frame }
        }
        let text = String(decoding: try #require(reply), as: UTF8.self)
        #expect(text.contains("\"error\":") && !text.contains("InternalError"), "\(text)")
        #expect(try await daemon.status().conditions == 0)
      }
    }

    @Test func `a flood of bytes on both sockets harms nobody else`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        var random = SplitMix64(seed: 1)
        let flood = (0..<(1 << 20)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let reader = EventsSocketReader(path: daemon.eventsSocket)
        try await with(reader.run) {
          let flooded = try await StreamSocket.connect(toPath: daemon.eventsSocket)
          // Nobody reads there, so it stops somewhere; where isn't promised.
          try? await flooded.write(flood, timeout: .milliseconds(300))
          for chunk in 0..<16 {
            let control = try await StreamSocket.connect(toPath: daemon.controlSocket)
            let part = Array(flood[(chunk << 16)..<((chunk + 1) << 16)])
            try? await control.write(part, timeout: .seconds(5))
          }
          try await daemon.add("home")
          #expect(try await daemon.ctl("remove", "home").status == 0)
          let events = try await daemon.events()
          #expect(events.count == 1)
          try await daemon.wait(for: "the event") { reader.lines == events ? true : nil }
          withExtendedLifetime(flooded) {}
        }
      }
    }

    /// Everything that comes until the other end closes.
    private static func answer(on socket: StreamSocket) async throws -> String {
      var answer: [UInt8] = []
      while let bytes = try await socket.read(timeout: .untilItHangs), !bytes.isEmpty {
        answer += bytes
      }
      return String(decoding: answer, as: UTF8.self)
    }
  }
}
