import ControlInterface
import Foundation
import Geofencing
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing
import Varlink

extension InTrouble {
  /// Subscribers that don't read, or hardly, beside others that do.
  @Suite struct SlowSubscriberTests {
    /// How many events there are.
    private static let count = 2000

    /// How many connections take nothing at all, besides the two programs that are stopped.
    private static let mute = 50

    /// By how much the daemon's memory may grow, in KiB: kept in full for each of those who don't
    /// read, the events would need twice as much.
    private static let growth = 24 * 1024

    /// Long names, so that an event is large.
    private static let name = String(repeating: "n", count: 128)

    /// The numbers that a subscriber was told, in order.
    private final class Told: Sendable {
      private let numbers = Mutex<[Int64]>([])
      var all: [Int64] { numbers.withLock { $0 } }
      var last: Int64? { numbers.withLock { $0.last } }

      func take(_ events: [Event]) {
        numbers.withLock { $0 += events.map(\.sequence) }
      }
    }

    private static func config(_ port: Int) -> String {
      DaemonProcess.configuration(
        gpsdPort: port, more: "[Socket]\nMaximumRequestsPerSecond=100000")
    }

    /// Reads as a named consumer and acknowledges each page, until all events are there.
    private static func consume(
      _ daemon: DaemonProcess, as name: String, until last: Int64, _ told: Told
    ) async throws {
      let (events, control) = (try await daemon.connect(), try await daemon.connect())
      for try await page in events.stream(
        Consume.self, Consume.Parameters(ConsumerName(consumer: name)))
      {
        guard let newest = page.events.last?.sequence else { continue }
        told.take(page.events)
        try await control.call(
          Acknowledge.self, Acknowledge.Parameters(ConsumerName(consumer: name), sequence: newest))
        if newest >= last { return }
      }
    }

    private static func follow(
      _ daemon: DaemonProcess, until last: Int64, _ told: Told
    ) async throws {
      for try await page in try await daemon.connect().stream(
        Events.self, Events.Parameters(since: 0))
      {
        told.take(page.events)
        if let newest = told.last, newest >= last { return }
      }
    }

    /// Begins a call that is answered for ever.
    private static func request(
      _ method: String, _ parameters: String, _ daemon: DaemonProcess
    ) async throws -> StreamSocket {
      let socket = try await StreamSocket.connect(toPath: daemon.controlSocket)
      let text = "{\"method\":\"\(method)\",\"more\":true,\"parameters\":\(parameters)}"
      try await socket.write(Array(text.utf8) + [0])
      return socket
    }

    /// The daemon's resident memory in KiB.
    private static func memory(_ daemon: DaemonProcess) throws -> Int {
      let status = try String(
        contentsOfFile: "/proc/\(try #require(daemon.identifier))/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
      return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    /// The numbers of events in lines of a program, at the beginning or as a field.
    private static func numbers(_ lines: [String]) throws -> [Int64] {
      try lines.map { line in
        if let number = line.split(separator: " ").first.flatMap({ Int64($0) }) { return number }
        return try event(line).sequence
      }
    }

    @Test func `they hold up nobody, and hear of everything when they read again`() async throws {
      let document = try ShownDocument.protocol()
      try await DaemonProcess.with(Self.config(9)) { daemon in
        let all = Array(1...Int64(Self.count))
        let python = try document.python(in: daemon.folder) + [daemon.controlSocket, "stopped"]
        let consumer = try RunningProgram(python)
        let follower = try daemon.startCtl("events", "--follow", "--since", "0", "--json")
        // Both have heard of something when they are stopped.
        try await daemon.happen(1...1, as: Self.name)
        for program in [consumer, follower] {
          try await daemon.wait(for: "the first event in \(program.errors)") {
            program.lines.isEmpty ? nil : true
          }
          program.kill(SIGSTOP)
        }
        var mute: [StreamSocket] = []
        for _ in 0..<Self.mute {
          mute.append(try await Self.request("io.geofenced.Events", "{\"since\":0}", daemon))
        }
        let socket = EventsSocketReader(path: daemon.eventsSocket)
        let told = (0..<12).map { _ in Told() }
        let answers = Told()
        try await withThrowingTaskGroup(of: Void.self) { group in
          // A byte a second, from a call each of both kinds.
          for (method, parameters) in [
            ("Events", "{\"since\":0}"), ("Consume", "{\"consumer\":\"byte\"}"),
          ] {
            let socket = try await Self.request("io.geofenced.\(method)", parameters, daemon)
            group.addTask {
              while let byte = try? await socket.read(atMost: 1), !byte.isEmpty {
                try? await Task.sleep(for: .seconds(1))
                if Task.isCancelled { return }
              }
            }
          }
          group.addTask { await socket.run() }
          group.addTask {
            // Asked without a pause, it must answer each time.
            while !Task.isCancelled {
              let status: Status.Reply
              do {
                status = try await daemon.status()
              } catch {
                if Task.isCancelled { return }
                throw error
              }
              if status.lastSequence > answers.last ?? 0, let event = status.lastEvent {
                answers.take([event])
              }
            }
          }
          try await withThrowingTaskGroup(of: Void.self) { readers in
            for (index, told) in told.enumerated() {
              readers.addTask {
                if index % 2 == 0 {
                  try await Self.consume(
                    daemon, as: "reader-\(index)", until: Int64(Self.count), told)
                } else {
                  try await Self.follow(daemon, until: Int64(Self.count), told)
                }
              }
            }
            try await daemon.happen(2...101, as: Self.name)
            let before = try Self.memory(daemon)
            try await daemon.happen(102...Self.count, as: Self.name)
            try await readers.waitForAll()
            #expect(try Self.memory(daemon) < before + Self.growth)
          }
          try await daemon.wait(for: "the last event on the events socket") {
            socket.lines.count >= Self.count ? true : nil
          }
          group.cancelAll()
          try await group.waitForAll()
        }
        for told in told { #expect(told.all == all) }
        #expect(try Self.numbers(socket.lines) == all)
        #expect(!answers.all.isEmpty)
        // What it heard before it was stopped, and not a line of the thousands since.
        #expect(consumer.lines.count < 200)

        try await Self.goOn(consumer, python, daemon, all)
        follower.kill(SIGCONT)
        try await daemon.wait(for: "the last event at the follower: \(follower.errors)") {
          follower.lines.count >= Self.count ? true : nil
        }
        #expect(try Self.numbers(follower.lines) == all)
        await follower.stop()

        // Nothing that was told a byte at a time was acknowledged.
        let again = Told()
        try await daemon.wait(for: "the consumer to be free") {
          do {
            try await Self.consume(daemon, as: "byte", until: Int64(Self.count), again)
            return true
          } catch let error as VarlinkError where error.name == "io.geofenced.ConsumerInUse" {
            return nil
          }
        }
        #expect(again.all == all)
        withExtendedLifetime(mute) {}
      }
    }

    /// Lets the stopped consumer go on, starting it again whenever it lost the connection, and looks
    /// whether it hears of everything.
    private static func goOn(
      _ stopped: RunningProgram, _ words: [String], _ daemon: DaemonProcess, _ all: [Int64]
    ) async throws {
      var program = stopped
      var heard: [Int64] = []
      program.kill(SIGCONT)
      while true {
        try await daemon.wait(for: "the last event at the consumer: \(program.errors)") {
          let last = try numbers(program.lines).last
          return program.status != nil || last == all.last ? true : nil
        }
        let told = try numbers(program.lines)
        await program.stop()
        // In order and without a gap; what comes twice is what wasn't acknowledged.
        if let first = told.first {
          #expect(told == Array(first..<(first + Int64(told.count))))
          #expect(first <= (heard.last ?? 0) + 1)
        }
        heard += told
        if heard.last == all.last { return }
        program = try RunningProgram(words)
      }
    }

    @Test func `one that listens to locations hears the newest, and how many it missed`()
      async throws
    {
      let gpsd = try GPSDProcess.orCancel()
      try await DaemonProcess.with(Self.config(gpsd.port)) { daemon in
        let drive = Drive(past: [200], spacing: 3000)
        let listener = try daemon.startCtl(
          "locations", "--follow", "--json", "--configuration", "automotiveNavigation")
        try await daemon.waitForGPSD()
        try await daemon.judge(drive.epochs.prefix(10), of: gpsd)
        try await daemon.wait(for: "the tenth location") {
          listener.lines.last?.contains(drive.epochs[9].timestamp.rfc3339) == true ? true : nil
        }
        listener.kill(SIGSTOP)
        try await daemon.judge(drive.epochs[10..<300], of: gpsd)
        listener.kill(SIGCONT)
        let replies = try await daemon.wait(for: "the newest location") {
          let replies = try listener.lines.map {
            try JSONDecoder().decode(Locations.Reply.self, from: Data($0.utf8))
          }
          return replies.last?.location?.timestamp == drive.epochs[299].timestamp ? replies : nil
        }
        let missed = replies.map(\.dropped).reduce(0, +)
        // A few wait to be read; the others were never written.
        #expect(missed > 200)
        let heard = replies.count { $0.location != nil }
        #expect(heard + missed >= 299 && heard + missed <= 301)
        #expect(replies.count { $0.dropped > 0 } == 1)
        await listener.stop()
      }
    }
  }
}
