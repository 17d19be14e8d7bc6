import ControlInterface
import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension DaemonProcess {
  /// Starts a program of `Examples/` that talks to this daemon; cancels the test where `make test` hasn't
  /// built it.
  fileprivate func startExample(_ name: String, _ arguments: String...) throws -> RunningProgram {
    let program = SystemBox.repository + ".build/debug/" + name
    guard access(program, X_OK) == 0 else {
      try Test.cancel("\(name) isn't built: run 'make examples'")
    }
    let variables = ["GEOFENCED_SOCKET=\(controlSocket)", "SWIFT_BACKTRACE=enable=no"]
    return try RunningProgram(["env"] + variables + [program] + arguments)
  }
}

extension AsAProcess {
  /// The programs of `Examples/` on a real daemon and a real gpsd.
  @Suite struct ExampleTests {
    @Test func `the location printer prints where the receiver is`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let printer = try daemon.startExample("location-printer")
        try await daemon.waitForGPSD()
        let drive = Drive(past: [100], spacing: 300)
        try await gpsd.feed(drive.epochs)
        let end = drive.places[0].center.moved(by: 300, bearing: 90)
        try await daemon.wait(for: "the end of the drive: \(printer.errors)") {
          let numbers = printer.lines.last?.split(separator: " ").compactMap { Double($0) } ?? []
          guard numbers.count == 2,
            let shown = Coordinate(latitude: numbers[0], longitude: numbers[1])
          else { return nil as Bool? }
          return shown.distance(to: end) < 50 ? true : nil
        }
        printer.kill(SIGKILL)
        #expect(await printer.end() == 128 + SIGKILL)
        // Nobody listens any more, so the receiver isn't watched.
        try await daemon.waitForStatus("rest") { !$0.receiver.watched }
      }
    }

    @Test func `until-stationary ends when the receiver has come to rest`() async throws {
      let short = "[Receiver]\nStationarySec=30s\nPauseAfterSec=40s"
      try await DaemonProcess.withGPSD(more: short) { daemon, gpsd in
        let program = try daemon.startExample("until-stationary")
        try await daemon.waitForGPSD()
        var writer = NMEAWriter()
        let drive = Drive(past: [100], spacing: 300)
        try await gpsd.feed(drive.epochs)
        #expect(!program.lines.contains("stationary"))
        let last = try #require(drive.epochs.last).timestamp
        let rest = Track(
          standingAt: drive.places[0].center.moved(by: 300, bearing: 90), for: .seconds(120))
        let epochs = Receiver(seed: 3, faults: .none)
          .observe(rest, startingAt: last + .seconds(1)).map { fix in
            Drive.Epoch(timestamp: fix.timestamp, sentences: writer.sentences(for: fix))
          }
        try await gpsd.feed(epochs)
        #expect(await program.end() == 0, "\(program.errors)")
        #expect(program.lines.last == "stationary")
        // Who is slow hears of the newest position alone: how many there are depends on the machine.
        let places = program.lines.dropLast().map { line in
          line.split(separator: " ").compactMap { Double($0) }
        }
        #expect(!places.isEmpty && places.allSatisfy { $0.count == 2 }, "\(program.lines)")
      }
    }

    @Test func `first-fast-update waits for more than 200 m/s`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let program = try daemon.startExample("first-fast-update")
        try await daemon.waitForGPSD()
        try await gpsd.feed(
          Drive(past: [100], spacing: 20_000, speed: 230).epochs)
        #expect(await program.end() == 0, "\(program.errors)")
        let words = try #require(program.lines.first).split(separator: " ")
        #expect(program.lines.count == 1)
        let speed = try #require(Double(words[0]))
        #expect((200...235).contains(speed), "\(program.lines)")
      }
    }

    @Test func `stay-near says when the receiver comes and goes`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [200], spacing: 1_000)
        let center = drive.places[0].center
        let program = try daemon.startExample(
          "stay-near", "\(center.latitude)", "\(center.longitude)")
        try await daemon.waitForStatus("condition") { $0.conditions == 1 }
        try await daemon.waitForGPSD()
        try await gpsd.feed(drive.epochs)
        try await daemon.wait(for: "three lines: \(program.errors)") {
          program.lines.count == 3 ? true : nil
        }
        #expect(
          program.lines.map { $0.split(separator: " ")[0] } == ["away", "near", "away"])
      }
    }

    @Test func `stay-near says how it is used`() async throws {
      try await DaemonProcess.withGPSD { daemon, _ in
        let program = try daemon.startExample("stay-near", "here")
        #expect(await program.end() == 2)
        #expect(program.errors == "usage: stay-near LATITUDE LONGITUDE [METRES]\n")
      }
    }

    @Test func `without a daemon a program says so in one line, and ends`() async throws {
      let daemon = try DaemonProcess()
      for program in [
        try daemon.startExample("stay-near", "48", "16"),
        try daemon.startExample("greeter", daemon.folder + "/greetings", "48", "16"),
      ] {
        #expect(await program.end() == 1)
        #expect(
          program.errors.hasSuffix(
            ": nothing answers on \(daemon.controlSocket); is geofenced running?\n"))
        #expect(program.errors.split(separator: "\n").count == 1)
      }
    }

    @Test(arguments: ["location-printer", "until-stationary", "first-fast-update"])
    func `without a daemon who waits for locations says so, and goes on waiting`(_ name: String)
      async throws
    {
      let daemon = try DaemonProcess()
      let program = try daemon.startExample(name)
      try await daemon.wait(for: "word of it") { program.errors.isEmpty ? nil : true }
      #expect(program.status == nil && program.lines.isEmpty)
      #expect(
        program.errors
          == "\(name): waiting: nothing answers on \(daemon.controlSocket); is geofenced running?\n"
      )
    }

    @Test func `the trip guide tells of a drive what there was to see`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        // Circles of a kilometre, 2.6 km apart: the first is at the frame's near edge.
        let drive = Drive(past: [1_000, 1_000, 1_000], spacing: 2_600, speed: 30)
        let trip = daemon.folder + "/trip.json"
        func json(_ place: Track.Place) -> String {
          #"{"latitude": \#(place.center.latitude), "longitude": \#(place.center.longitude)}"#
        }
        try """
        {"name": "the valley", "center": \(json(drive.places[1])), "landmarks": [
          {"id": "mill", "coordinate": \(json(drive.places[0]))},
          {"id": "bridge", "coordinate": \(json(drive.places[1]))},
          {"id": "castle", "coordinate": \(json(drive.places[2]))}]}
        """.write(toFile: trip, atomically: true, encoding: .utf8)
        let guide = try daemon.startExample("trip-guide", trip)
        try await daemon.waitForStatus("conditions") { $0.conditions == 4 }
        try await daemon.waitForGPSD()
        try await gpsd.feed(drive.epochs)
        #expect(await guide.end() == 0, "\(guide.errors)")
        #expect(
          guide.lines == [
            "Have a good trip to the valley", "Badge 1 of 3: mill", "Welcome to the valley",
            "Badge 2 of 3: bridge", "Badge 3 of 3: castle", "You have seen it all",
          ])
        #expect(try await daemon.status().conditions == 0)
      }
    }

    @Test func `the greeter greets once for each way, however often it is killed`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let file = daemon.folder + "/greetings"
        let first = Drive(past: [200], spacing: 1_000)
        let center = first.places[0].center
        func start() throws -> RunningProgram {
          try daemon.startExample(
            "greeter", file, "\(center.latitude)", "\(center.longitude)")
        }
        func greetings() -> [String] {
          ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: "\n")
            .map { String($0.prefix { $0 != "," }) }
        }
        var greeter = try start()
        try await daemon.waitForStatus("condition") { $0.conditions == 1 }
        try await daemon.waitForGPSD()
        var beginning = try #require(Drive.beginning)
        for round in 1...6 {
          let drive = Drive(past: [200], spacing: 1_000, from: beginning)
          let middle = drive.epochs.count / 2
          // At home, on the way and away, alternately dead and alive.
          if round.isMultiple(of: 2) { greeter.kill(SIGKILL) }
          try await gpsd.feed(drive.epochs[..<middle])
          if !round.isMultiple(of: 2) { greeter.kill(SIGKILL) }
          try await gpsd.feed(drive.epochs[middle...])
          // What a daemon that is killed has not judged by then, no other will: gpsd told it once.
          try await daemon.waitForFix(drive.epochs[drive.epochs.count - 3].timestamp)
          _ = await greeter.end()
          greeter = try start()
          if round.isMultiple(of: 3) {
            // A loop over events outlives the daemon, a call that it hasn't answered does not.
            try await daemon.wait(for: "reader") {
              try await daemon.ctl("consumer", "list").output.contains("connected") ? true : nil
            }
            try await daemon.crash()
          }
          try await daemon.wait(for: "greetings of round \(round): \(greeter.errors)") {
            // Whoever supervises it starts it again.
            if round.isMultiple(of: 3), greeter.status != nil { greeter = try start() }
            return greetings().count >= 2 * round ? true : nil
          }
          try await daemon.waitForGPSD()
          beginning = try #require(drive.epochs.last).timestamp + .seconds(300)
        }
        let expected = (1...6).flatMap { _ in ["Good morning", "Have a nice evening"] }
        #expect(greetings() == expected)
        await greeter.stop()
      }
    }
  }
}
