import ControlInterface
import Foundation
import Geofencing
import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced ctl explain`, as a person and as a program see it.
  @Suite struct ExplainTests {
    /// The answer in words, and the same as a program reads it.
    private func explain(
      _ daemon: DaemonProcess, _ arguments: String...
    ) async throws -> (text: String, reply: Explain.Reply) {
      let text = try await daemon.ctl(["explain"] + arguments)
      let json = try await daemon.ctl(["explain"] + arguments + ["--json"])
      #expect(text.status == 0 && json.status == 0, "\(text.errors)\(json.errors)")
      #expect(json.lines.count == 1)
      return (
        text.output, try JSONDecoder().decode(Explain.Reply.self, from: Data(json.output.utf8))
      )
    }

    private func verdicts(_ explanation: Explanation?) -> [Judgement.Verdict] {
      (explanation?.evidence ?? []).compactMap(\.verdict)
    }

    @Test func `the times of a condition are shown as they were given`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        let added = try await daemon.ctl(
          "add", "--id", "home", "--lat", "47", "--lon", "8", "--radius", "100", "--enter-after",
          "1.5s", "--exit-after", "1h 30s")
        #expect(added.status == 0, "\(added.errors)")
        let shown = try await daemon.ctl("show", "home").output
        #expect(shown.contains(/Enter after: +1500ms\n/), "\(shown)")
        #expect(shown.contains(/Exit after: +3630s\n/), "\(shown)")
      }
    }

    @Test func `an entry and an exit are explained by their fixes`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [150], spacing: 600)
        try await daemon.watch(drive)
        try await daemon.judge(drive.epochs, of: gpsd, but: 1)
        #expect(
          try await daemon.briefs()
            == ["determined place-1", "entered place-1", "exited place-1"])

        for (number, state, words) in [
          ("2", ConditionState.satisfied, "It was outside, and is inside now."),
          ("#3", .unsatisfied, "It was inside, and is outside now."),
        ] {
          let (text, reply) = try await explain(daemon, number)
          let explanation = try #require(reply.explanation)
          #expect(explanation.outcome == .decided && explanation.state == state)
          #expect(explanation.date == reply.event?.transition.date)
          #expect(explanation.candidate == state)
          let side = state == .satisfied ? Judgement.Verdict.inside : .outside
          #expect(verdicts(explanation).last == side)
          #expect(Set(verdicts(explanation)).count >= 2)
          let last = try #require(explanation.evidence.last)
          #expect(last.timestamp == explanation.date)
          #expect((try #require(last.distance) < 0) == (side == .inside))
          let name = number.hasPrefix("#") ? number : "#" + number
          let head = "  \(name)     "
          #expect(text.contains(head), "\(text)")
          #expect(text.contains("\n  \(words)\n"), "\(text)")
          #expect(text.contains("\n  The fix that decided was "), "\(text)")
          let needs =
            explanation.isEarly ? "fewer were needed:" : "It was confirmed by"
          #expect(text.contains("\(needs) \(explanation.fixes) "), "\(text)")
          #expect(text.contains("\n  Fixes that were judged:\n"), "\(text)")
          #expect(
            text.split(separator: "\n").filter { $0.hasSuffix("  \(side.rawValue)") }.count
              == verdicts(explanation).filter { $0 == side }.count, "\(text)")
        }
        // After a crash it is still known why.
        let before = try await explain(daemon, "3")
        try await daemon.crash()
        #expect(try await explain(daemon, "3").text == before.text)
      }
    }

    @Test func `why nothing happens is told: too close to the edge, or left out`() async throws {
      try await DaemonProcess.withGPSD { daemon, gpsd in
        let drive = Drive(past: [150], spacing: 600)
        // Without a condition nobody would watch the receiver.
        try await daemon.watch(drive)
        try await daemon.judge(drive.epochs, of: gpsd, but: 1)
        let fix = try #require(try await daemon.status().receiver.lastFix)
        let position = try #require(Coordinate(latitude: fix.latitude, longitude: fix.longitude))
        // Two circles whose edges lead through where the drive ended; one is hopeless.
        for (name, radius) in [("edge", 200.0), ("tiny", 2)] {
          let center = position.moved(by: radius, bearing: 0)
          let added = try await daemon.ctl(
            "add", "--lat", "\(center.latitude)", "--lon", "\(center.longitude)", "--radius",
            "\(radius)", "--id", name, "--assuming", "unsatisfied")
          #expect(added.status == 0, "\(added.errors)")
        }
        // Standing there: nothing is decided. The last three have no position and a wrong one, which gpsd
        // itself calls inaccurate at first.
        let standing = Receiver(seed: 7, faults: .none).observe(
          Track(standingAt: position, for: .seconds(8)), startingAt: fix.timestamp + .seconds(2))
        var writer = NMEAWriter()
        for (index, said) in standing.prefix(8).enumerated() {
          var said = said
          switch index {
          case 5: said.mode = 1
          case 6...: said.coordinate = position.moved(by: 90_000, bearing: 45)
          default: said.coordinate = position
          }
          try await gpsd.feed(writer.sentences(for: said))
        }
        try await daemon.waitForStatus("rejected fixes") {
          $0.receiver.rejected["impossibleSpeed"] == 1 && $0.receiver.rejected["noFix"] != nil
        }

        let (text, reply) = try await explain(daemon, "--condition", "edge")
        #expect(reply.event == nil && reply.record?.state == .unsatisfied)
        let present = try #require(reply.present)
        #expect(present.outcome == .undecided)
        #expect(verdicts(present).last == .undecided)
        #expect(present.evidence.last?.rejection == "impossibleSpeed")
        #expect(present.evidence.contains { $0.rejection == "noFix" })
        #expect(text.hasPrefix("default/edge is unsatisfied (circle of 200 m)\n"), "\(text)")
        for words in [
          "\n  Nothing happens because the last fix is too close to the edge for its accuracy: ",
          "\n  What came since the last usable fix was left out, see below. 1 fix contradicted it, 90.0 km "
            + "away. Such fixes count when ",
          "\n  Fixes that were left out:\n", ": the receiver had no position (noFix",
          ": it was farther from the fix before than MaximumSpeed= allows (impossibleSpeed, ±",
          "\nThere has been no event of it yet.\n",
        ] { #expect(text.contains(words), "\(words) in \(text)") }
        #expect(!text.contains("would help"))

        let tiny = try await explain(daemon, "--condition", "tiny", "--monitor", "default")
        #expect(tiny.reply.present?.isAccuracyLimited == true)
        #expect(tiny.text.contains("the radius is 2 m, σ is "), "\(tiny.text)")
        // The receiver is surer of itself than what is believed.
        #expect(
          tiny.text.contains(
            " m would help, or a lower MinimumSigma= if the receiver is that good.\n"))
      }
    }

    @Test func `a wrong question is told so in one line`() async throws {
      try await DaemonProcess.with(DaemonProcess.withoutReceiver) { daemon in
        for (arguments, words) in [
          (["1"], "geofenced ctl explain: there is no event #1 yet: the log is empty"),
          (["--condition", "home"], "geofenced ctl explain: there is no condition 'home' in "),
          ([], "geofenced ctl explain: missing EVENT or --condition"),
          (["one"], "geofenced ctl explain: EVENT wants the number of an event, got "),
          (["0"], "geofenced ctl explain: EVENT wants the number of an event, got "),
          (["1", "--condition", "home"], "geofenced ctl explain: either EVENT or --condition"),
          (["1", "--monitor", "m"], "geofenced ctl explain: --monitor goes with --condition"),
        ] {
          let result = try await daemon.ctl(["explain"] + arguments)
          let isMissing = words.contains(": there is no ")
          #expect(result.status == (isMissing ? 1 : 2) && result.output.isEmpty, "\(arguments)")
          #expect(result.errors.hasPrefix(words), "\(result.errors)")
          #expect(result.errors.split(separator: "\n").count == 1)
        }
      }
    }

    @Test func `a replay explains its events in the same words, and the same bytes again`()
      async throws
    {
      let folder = try TemporaryFolder()
      let drive = Drive(past: [150], spacing: 600)
      try folder.write(drive.sentences, "drive.nmea")
      try folder.write(drive.geoJSON.utf8, "places.geojson")
      let arguments = [
        "replay", "--conditions", folder.path + "/places.geojson", folder.path + "/drive.nmea",
      ]
      let plain = try await DaemonProcess.run(arguments + ["--json"])
      let json = try await DaemonProcess.run(arguments + ["--json", "--explain"])
      #expect(plain.lines.count == 3 && json.lines.count == 4)
      for (line, explained) in zip(plain.lines, json.lines) {
        #expect(try event(line) == event(explained))
        struct Part: Decodable { let explanation: Explanation }
        let part = try JSONDecoder().decode(Part.self, from: Data(explained.utf8))
        #expect(part.explanation.date == (try event(line)).transition.date)
        #expect(!part.explanation.evidence.isEmpty)
      }
      let text = try await DaemonProcess.run(arguments + ["--explain"])
      #expect(text.output.contains("\n  It was outside, and is inside now.\n"), "\(text.output)")
      #expect(text.output.contains("\n  Fixes that were judged:\n"))
      // And why nothing happens at the end, also where that is put to the fix before the entry's.
      struct Present: Decodable {
        let identifier: String
        let state: ConditionState
        let present: Explanation
      }
      let present = try JSONDecoder().decode(Present.self, from: Data(json.lines[3].utf8))
      #expect(present.identifier == "place-1" && present.state == .unsatisfied)
      #expect(present.present.outcome == .agrees)
      let end = "\nAt the end default/place-1 is unsatisfied (circle of 150 m)\n\n"
      #expect(text.output.contains(end), "\(text.output)")
      let entry = try event(plain.lines[1]).transition.date
      let cut = try await DaemonProcess.run(
        arguments + ["--explain", "--until", (entry - .milliseconds(500)).rfc3339])
      #expect(cut.output.contains(end), "\(cut.output)")
      #expect(!cut.output.contains("  entered  ") && cut.errors.hasSuffix("; 1 event\n"))
      let again = try await DaemonProcess.run(
        arguments + ["--explain"], environment: ["TZ=Asia/Kolkata", "LC_ALL=de_DE.UTF-8"])
      #expect(again.output == text.output && again.errors == text.errors)
    }
  }
}
