import Foundation
import Geofencing
import Glibc
import TestSupport
import Testing

extension AsAProcess {
  /// `geofenced replay` as a dry run: with other numbers, and compared with a change.
  @Suite struct ReplayComparisonTests {
    /// A drive past two places, with the files of a replay.
    private struct Files {
      let folder: TemporaryFolder
      let drive = Drive(past: [150, 60], spacing: 800)
      var recording: String { folder.path + "/drive.nmea" }
      var conditions: String { folder.path + "/places.geojson" }
      /// The same without the second place.
      var fewer: String { folder.path + "/fewer.geojson" }

      init() throws {
        folder = try TemporaryFolder()
        try Data(drive.sentences).write(to: URL(filePath: recording))
        try drive.geoJSON.write(toFile: conditions, atomically: true, encoding: .utf8)
        let one = Drive(past: [150], spacing: 800)
        try one.geoJSON.write(toFile: fewer, atomically: true, encoding: .utf8)
      }

      func replay(_ arguments: String...) async throws -> Command.Result {
        try await DaemonProcess.run(["replay", "--conditions", conditions] + arguments)
      }
    }

    private let files: Files

    init() throws { files = try Files() }

    @Test func `other numbers give other events, and a configuration counts less`() async throws {
      let plain = try await files.replay(files.recording)
      let later = try await files.replay("--set", "ExitSec=10s", files.recording)
      #expect(later.status == 0)
      #expect(plain.lines.count == 6)
      #expect(later.lines.count == 6)
      let exits = try zip(plain.lines, later.lines).filter { $0.0.contains("  exited  ") }.map {
        try #require(Timestamp(rfc3339: String($0.1.prefix(24))))
          - #require(Timestamp(rfc3339: String($0.0.prefix(24))))
      }
      #expect(exits == [.seconds(10), .seconds(10)])
      let configuration = try files.folder.write(
        "[Decision]\nExitSec=20s\nEnterSec=5s\n".utf8, "slow.conf")
      let both = try await files.replay(
        "--config", configuration, "--set", "ExitSec=10s", "--set", "EnterSec=", files.recording)
      #expect(both.output == later.output)
    }

    @Test func `a change is compared, from a file or from a pipe`() async throws {
      let result = try await files.replay("--diff-set", "ExitSec=10s", files.recording)
      #expect(result.status == 4)
      #expect(result.lines.count == 4)
      #expect(result.lines[0] == "--- before")
      #expect(result.lines[1] == "+++ after: --diff-set ExitSec=10s")
      for line in result.lines.dropFirst(2) {
        #expect(line.hasPrefix("~"))
        #expect(line.contains("  exited  "))
        #expect(line.hasSuffix(" (+10 s)"))
      }
      #expect(
        result.errors.hasSuffix(
          " fixes; 6 events in both, 2 of them moved, by +10 s in the median; 0 only before, "
            + "0 only after\n"), "\(result.errors)")
      let input = open(files.recording, O_RDONLY | O_CLOEXEC)
      defer { close(input) }
      let piped = try await Command([
        "sh", "-c", "cat | exec \"$0\" \"$@\"", DaemonProcess.program, "replay", "--conditions",
        files.conditions, "--diff-set", "ExitSec=10s", "-",
      ]).run(input: input)
      #expect(piped == result)
    }

    @Test func `what the receiver moves with is a change too, and single keys come before it`()
      async throws
    {
      // At that speed nothing is waited for, unless that is asked for.
      let result = try await files.replay(
        "--set", "CertainConfidence=1", "--diff-configuration", "fitness", files.recording)
      try #require(result.status == 4)
      #expect(result.lines[1] == "+++ after: --diff-configuration fitness")
      let same = try await files.replay(
        "--configuration", "fitness", "--diff-configuration", "fitness", files.recording)
      #expect(same.status == 0)
      let plain = try await files.replay(files.recording)
      let undone = try await files.replay(
        "--configuration", "fitness", "--set", "EnterFixes=", "--set", "EnterSec=", "--set",
        "ExitFixes=", "--set", "ExitSec=", "--set", "MaximumSpeed=", files.recording)
      #expect(undone.output == plain.output)
      let other = try await files.replay("--configuration", "fitnes", files.recording)
      #expect(other.status == 2)
      #expect(other.errors.contains("--configuration wants one of default, automotiveNavigation, "))
    }

    @Test func `other conditions are compared, and a program gets objects`() async throws {
      let result = try await files.replay(
        "--diff-conditions", files.fewer, "--json", files.recording)
      #expect(result.status == 4)
      let objects = try result.lines.map { line in
        try #require(
          JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      #expect(objects.map { $0["change"] as? String } == ["removed", "removed", "removed"])
      for object in objects {
        let before = try #require(object["before"] as? [String: Any])
        #expect(before["identifier"] as? String == "place-2")
        #expect(object["after"] == nil)
      }
    }

    @Test func `without a difference nothing is printed and the status is zero`() async throws {
      let result = try await files.replay(
        "--diff-conditions", files.conditions, "--diff-set", "ExitSec=", files.recording)
      #expect(result.status == 0)
      #expect(result.output == "")
      #expect(result.errors.hasSuffix("; 6 events in both; 0 only before, 0 only after\n"))
    }

    @Test func `without conditions nothing is compared, and a replay says so`() async throws {
      let compared = try await DaemonProcess.run([
        "replay", "--diff-set", "ExitSec=10s", files.recording,
      ])
      #expect(compared.status == 2)
      #expect(
        compared.errors == "geofenced replay: nothing can be different without conditions: "
          + "give --conditions or --diff-conditions\n")
      let added = try await DaemonProcess.run([
        "replay", "--diff-conditions", files.conditions, files.recording,
      ])
      #expect(added.status == 4)
      let replayed = try await DaemonProcess.run(["replay", files.recording])
      #expect(replayed.status == 0 && replayed.output == "")
      #expect(replayed.errors.hasPrefix("nothing is watched for without --conditions\n"))
    }

    @Test(arguments: [
      (["--set", "ExitSek=3s"], "--set: there is no key 'ExitSek': did you mean ExitSec=?"),
      (["--set", "Port=3"], "--set: Port= of [Receiver] has no effect on a recording"),
      (["--diff-set", "ExitSec=x"], "--diff-set: ExitSec= wants a time from 0 to 1h, got 'x'"),
      (["--set"], "option '--set' wants a value: --set KEY=VALUE"),
    ])
    func `what is wrong with a setting is told in one line`(
      options: [String], message: String
    ) async throws {
      let result = try await DaemonProcess.run(["replay", "/dev/null"] + options)
      #expect(result.status == 2)
      #expect(result.errors == "geofenced replay: \(message)\n")
      #expect(result.output == "")
    }

    @Test func `conditions may come through a pipe`() async throws {
      let expected = try await files.replay(files.recording)
      let result = try await Command([
        "bash", "-c", "exec \"$0\" replay --conditions <(cat \"$1\") \"$2\"",
        DaemonProcess.program, files.conditions, files.recording,
      ]).run()
      #expect(result == expected)
      let endless = try await Command([
        "bash", "-c", "exec \"$0\" replay --conditions <(yes) \"$1\"", DaemonProcess.program,
        files.recording,
      ]).run()
      #expect(endless.status == 1)
      #expect(
        endless.errors.hasSuffix(
          ": is neither GeoJSON nor KML nor GPX; 'ogr2ogr -f GeoJSON' makes the first of most others, "
            + "such as CSV, see Files.md for the columns\n"))
    }

    /// Nothing of the machine may show: no locale, time zone or home, and no processor.
    ///
    /// Swift draws the order of hashing at random for each process. Without FMA the C library computes
    /// exp, sin and cos in another way, with other last bits.
    @Test func `text, JSON and differences are the same bytes in every environment`() async throws {
      let kinds: [[String]] = [
        [], ["--json"], ["--diff-set", "ExitSec=8s"],
        // Circles that are small beside sigma are judged by an integral.
        ["--set", "MinimumSigma=20", "--json"],
        ["--diff-set", "ExitSec=8s", "--diff-conditions", files.fewer, "--json"],
      ]
      let environments = [
        [], [], ["LC_ALL=tr_TR.UTF-8", "TZ=Asia/Kolkata"], ["LC_ALL=C", "LANG=C", "TZ=UTC"],
        ["LC_ALL=de_DE.UTF-8", "LANGUAGE=de:fr", "LC_NUMERIC=de_DE.UTF-8"],
        ["LANG=ar_EG.UTF-8", "TZ=America/St_Johns"], ["LC_TIME=ja_JP.UTF-8", "TZ=:/nowhere"],
        ["LC_ALL=xx_XX", "TZ=<-03>+3", "HOME=/nonexistent"], ["-u", "HOME", "-u", "LANG", "-i"],
        ["GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"],
        ["SWIFT_DETERMINISTIC_HASHING=1"], ["-u", "SWIFT_DETERMINISTIC_HASHING", "TZDIR=/tmp"],
      ]
      for kind in kinds {
        var first: Command.Result?
        for environment in environments {
          let result = try await DaemonProcess.run(
            ["replay", "--conditions", files.conditions] + kind + [files.recording],
            environment: environment)
          #expect(!result.lines.isEmpty)
          #expect(result == first ?? result, "\(kind) \(environment)")
          first = result
        }
      }
    }
  }
}
