import ControlInterface
import Foundation
import Geofencing
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Varlink

extension AsAProcess {
  /// What `Docs/Protocol.md` says and shows, against the real daemon.
  @Suite struct ProtocolTests {
    private let document: ShownDocument

    init() throws {
      document = try ShownDocument.protocol()
    }

    @Test func `it names every method and every error of the interface`() throws {
      /// The names that are declared with a word in the interface.
      func names(_ word: String) -> [Substring] {
        GeofencedInterface.description.split(separator: "\n").compactMap { line in
          line.hasPrefix(word + " ")
            ? line.dropFirst(word.count + 1).prefix { $0.isLetter } : nil
        }
      }
      let (methods, errors) = (names("method"), names("error"))
      #expect(methods.count > 20 && errors.count > 10)
      for method in methods {
        #expect(document.text.contains("\"io.geofenced.\(method)\""), "no example of \(method)")
      }
      for error in errors {
        #expect(
          ["`\(error)`", "`io.geofenced.\(error)`"].contains { document.text.contains($0) },
          "nothing about the error \(error)")
      }
    }

    /// A request and the reply that is shown for it.
    private struct Exchange {
      let request: [String: Any]
      let reply: [String: Any]
    }

    private func exchanges() throws -> [Exchange] {
      try document.blocks("json").map { block in
        let objects = try block.split(separator: "\n").map { line in
          try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
        #expect(objects.count == 2, "\(block)")
        return Exchange(request: objects[0], reply: objects[1])
      }
    }

    /// What is another value at each run, or where nobody holds the connection meanwhile.
    private static let changing: Set = ["user", "log", "holders"]

    /// Whether everything that is shown is there, with its value where that isn't another one at each run.
    private static func has(_ real: Any, everythingOf shown: Any, as name: String = "") -> Bool {
      switch (shown, real) {
      case (let shown as [String: Any], let real as [String: Any]):
        shown.allSatisfy { key, value in
          real[key].map { has($0, everythingOf: value, as: key) } ?? false
        }
      case (let shown as [Any], let real as [Any]):
        real.count >= shown.count
          && zip(real, shown).allSatisfy { has($0, everythingOf: $1, as: name) }
      case (let shown as String, let real as String):
        shown == real || changing.contains(name) || shown.contains("…")
          || Timestamp(rfc3339: shown) != nil && Timestamp(rfc3339: real) != nil
      case (let shown as NSNumber, let real as NSNumber):
        shown == real || changing.contains(name)
      default: false
      }
    }

    /// The first reply to a request, which has to be as the interface describes it.
    private static func reply(
      to request: [String: Any], of daemon: DaemonProcess
    ) async throws -> [UInt8] {
      let socket = try await StreamSocket.connect(toPath: daemon.controlSocket)
      try await socket.write(Array(try JSONSerialization.data(withJSONObject: request)) + [0])
      var frames = FrameBuffer(delimiter: 0, limit: 1 << 20)
      var reply: [UInt8]?
      while reply == nil {
        let bytes = try #require(
          try await socket.read(timeout: .untilItHangs), "\(request) has no answer")
        try #require(!bytes.isEmpty)
        frames.append(bytes)
        if case .frame(let message) = frames.next() { reply = message }
      }
      let message = try #require(reply)
      let description = try VarlinkDescription(text: GeofencedInterface.description)
      let name = try #require((request["method"] as? String)?.split(separator: ".").last)
      let method = try #require(description.methods[String(name)])
      #expect(throws: Never.self, "\(String(decoding: message, as: UTF8.self))") {
        try description.checkParameters(of: message, against: method.output)
      }
      return message
    }

    @Test func `what is known after a drive is told as the interface describes it`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [200], spacing: 700)
        try await daemon.watch(drive)
        try await gpsd.feed(drive.epochs)
        try await daemon.waitForStatus("the exit") { $0.lastSequence == 3 }
        let place = ["identifier": "place-1"]
        for (method, parameters) in [
          ("Status", [:]), ("Record", place), ("List", [:]), ("Events", ["since": 0]),
          ("Locations", [:]), ("Nearest", [:]), ("Advise", place), ("Explain", place),
          ("Explain", ["sequence": 2]), ("Monitors", [:]),
          ("Consume", ["monitor": "default", "consumer": "log"]), ("Remove", place),
        ] as [(String, [String: Any])] {
          let message = try await Self.reply(
            to: ["method": "io.geofenced.\(method)", "parameters": parameters, "more": true],
            of: daemon)
          // An error has other parameters, which may be those of a reply.
          #expect(!String(decoding: message, as: UTF8.self).contains("\"error\""), "\(method)")
        }
      }
    }

    @Test func `each request is answered as it shows, one after the other`() async throws {
      let exchanges = try exchanges()
      #expect(exchanges.count > 20)
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        for exchange in exchanges {
          let message = try await Self.reply(to: exchange.request, of: daemon)
          let real = try JSONSerialization.jsonObject(with: Data(message))
          #expect(
            Self.has(real, everythingOf: exchange.reply),
            "\(exchange.request): \(String(decoding: message, as: UTF8.self))")
        }
      }
    }

    /// What the daemon knows of a named consumer.
    private func consumer(_ name: String, _ daemon: DaemonProcess) async throws -> NamedConsumer? {
      let reply: Consumers.Reply = try await daemon.connect().call(
        Consumers.self, Consumers.Parameters())
      return reply.consumers.first { $0.consumer == name }
    }

    @Test func `the example in Python hears of every event and goes on where it stopped`()
      async throws
    {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let words = try document.python(in: daemon.folder) + [daemon.controlSocket, "example"]
        let drive = Drive(past: [200, 200], spacing: 700)
        let middle = drive.epochs.count / 2
        try await daemon.watch(drive)
        let first = try RunningProgram(words)
        try await gpsd.feed(drive.epochs.prefix(middle))
        let half = [
          "1 determined place-1", "2 determined place-2", "3 entered place-1", "4 exited place-1",
        ]
        try await daemon.wait(for: "the first half: \(first.errors)") {
          first.lines.count >= half.count ? true : nil
        }
        // The acknowledgement of the last line follows it.
        try await daemon.wait(for: "the acknowledgement") {
          try await consumer("example", daemon)?.cursor == 4 ? true : nil
        }
        await first.stop()
        #expect(first.lines == half)
        try await gpsd.feed(drive.epochs.dropFirst(middle))
        try await daemon.waitForStatus("the last event") { $0.lastSequence == 6 }
        let second = try RunningProgram(words)
        try await daemon.wait(for: "the second half: \(second.errors)") {
          second.lines.count >= 2 ? true : nil
        }
        #expect(second.lines == ["5 entered place-2", "6 exited place-2"])

        // Somebody else can't read under that name meanwhile, and is told so.
        let refused = try await Command(["timeout", "300"] + words).run()
        #expect(refused.status == 1 && refused.output.isEmpty)
        #expect(refused.errors.contains("somebody else reads as consumer 'example'"))
        // It ends with the daemon, and has it started again by its service manager.
        await daemon.stop()
        try await daemon.wait(for: "the end of the example") { second.status }
        #expect(second.status == 1 && second.errors == "the daemon has gone\n")
        await second.stop()
      }
    }

    @Test func `the examples for a shell greet, say goodbye, and go on where they stopped`()
      async throws
    {
      guard access("/usr/bin/socat", X_OK) == 0 else { try Test.cancel("socat isn't installed") }
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let folder = URL(filePath: DaemonProcess.program).deletingLastPathComponent().path()
        let path = "PATH=\(folder):/usr/bin:/bin"
        let words = [
          "env", path, "sh", "-c", try document.block("sh", with: "Welcome"), "example",
          daemon.controlSocket,
        ]
        let first = try RunningProgram(words)
        let socket = try RunningProgram([
          "env", path, "sh", "-c", try document.block("sh", with: "socat"), "example",
          daemon.eventsSocket,
        ])
        let drive = Drive(past: [200], spacing: 700)
        let home = Track.Place(
          identifier: "home", center: drive.places[0].center, radius: drive.places[0].radius)
        try await daemon.add([home])
        try await daemon.waitForGPSD()
        let middle = drive.epochs.count / 2
        try await gpsd.feed(drive.epochs.prefix(middle))
        try await daemon.wait(for: "the welcome: \(first.errors)") {
          first.lines.isEmpty ? nil : true
        }
        try await daemon.wait(for: "the acknowledgement") {
          try await consumer("greeter", daemon)?.waiting == 0 ? true : nil
        }
        await first.stop()
        try await gpsd.feed(drive.epochs.dropFirst(middle))
        try await daemon.waitForStatus("the exit") { $0.lastSequence == 3 }
        let second = try RunningProgram(words)
        try await daemon.wait(for: "the goodbye: \(second.errors)") {
          second.lines.isEmpty ? nil : true
        }
        #expect(first.lines == ["Welcome home"] && second.lines == ["Goodbye"])
        await second.stop()
        try await daemon.wait(for: "the entry on the events socket: \(socket.errors)") {
          socket.lines.isEmpty ? nil : true
        }
        #expect(try socket.lines.map(event).map(brief) == ["entered home"])
        await socket.stop()
      }
    }
  }
}
