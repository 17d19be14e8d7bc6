import CommandLineParsing
import Foundation
import TestSupport
import Testing

@testable import GeofenceCommands

/// What `geofenced` says about itself, and about command lines that are wrong.
struct CommandLineTests {
  /// Every command with the words that lead to it.
  private static let commands: [[String]] = {
    func below(_ command: CommandLineParsing.Command, _ path: [String]) -> [[String]] {
      [path] + command.subcommands.flatMap { below($0, path + [$0.name]) }
    }
    return below(Program.definition, [])
  }()

  @Test(arguments: commands)
  func `the help of every command fits a terminal and has an example`(path: [String]) throws {
    guard case .show(let text) = try Program.definition.parse(path + ["--help"]) else {
      throw TestFailure("--help shows nothing")
    }
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    let name = (["geofenced"] + path).joined(separator: " ")
    #expect(text.contains(name))
    let examples = try #require(text.range(of: "\nExamples:\n"))
    #expect(text[examples.upperBound...].contains("geofenced"))
    #expect(text.hasSuffix("\n"))
  }

  @Test func `the commands are those of the manual`() {
    #expect(
      Self.commands.map { $0.joined(separator: " ") } == [
        "", "ctl", "ctl add", "ctl change", "ctl remove", "ctl list", "ctl show", "ctl events",
        "ctl forward", "ctl explain",
        "ctl locations", "ctl session", "ctl sessions", "ctl end-session",
        "ctl status", "ctl nearest", "ctl watch", "ctl advise", "ctl record", "ctl report",
        "ctl import",
        "ctl export", "ctl names", "ctl consumer",
        "ctl consumer list",
        "ctl consumer acknowledge", "ctl consumer remove",
        "ctl monitor", "ctl monitor list", "ctl monitor set", "ctl monitor clear", "run",
        "replay",
        "check-config", "completion",
        "manual", "launch",
      ])
  }

  @Test(arguments: [
    ("", "geofenced: "),
    ("ctl", "geofenced ctl: "),
    ("exlpode", "geofenced: "),
    ("ctl ad --lat 1", "geofenced ctl: "),
    ("ctl add --lat 1 --lon 2 --radius", "geofenced ctl add: "),
    ("ctl add --lat one --lon 2 --radius 3", "geofenced ctl add: "),
    ("ctl add --lat 1 --lon 2 --radius 3 --radios 4", "geofenced ctl add: "),
    ("ctl add --lat 1 --lat 1 --lon 2 --radius 3", "geofenced ctl add: "),
    ("ctl events --since", "geofenced ctl events: "),
    ("ctl events --last 1.5", "geofenced ctl events: "),
    ("ctl session", "geofenced ctl session: "),
    ("ctl end-session", "geofenced ctl end-session: "),
    ("ctl sessions surplus", "geofenced ctl sessions: "),
    ("ctl monitor", "geofenced ctl monitor: "),
    ("ctl watch --interval soon", "geofenced ctl watch: "),
    ("ctl monitor set", "geofenced ctl monitor set: "),
    ("ctl monitor clear", "geofenced ctl monitor clear: "),
    ("ctl import", "geofenced ctl import: "),
    ("ctl import --format shp file", "geofenced ctl import: "),
    ("ctl export --width 3", "geofenced ctl export: "),
    ("ctl status surplus", "geofenced ctl status: "),
    ("replay", "geofenced replay: "),
    ("replay --json=yes file", "geofenced replay: "),
    ("run surplus", "geofenced run: "),
  ])
  func `a wrong command line is told in one line`(line: String, begins: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let error = try #require(throws: UsageError.self) { try Program.definition.parse(words) }
    #expect(error.description.hasPrefix(begins), "\(error.description)")
    #expect(!error.description.contains("\n"))
    #expect(error.description.count < 250)
  }

  @Test(arguments: [
    (["list", "events", "watch", "report"], "Only this monitor; without it, all of them."),
    (
      ["add", "remove", "show", "explain", "import", "export"],
      "The monitor; without it, 'default'."
    ),
    (
      ["advise"],
      "Only this monitor; without it, all of them, or 'default' if IDENTIFIER is given."
    ),
  ])
  func `help says which monitor is meant without one`(names: [String], says: String) throws {
    let ctl = try #require(Program.definition.subcommands.first { $0.name == "ctl" })
    for name in names {
      let command = try #require(ctl.subcommands.first { $0.name == name })
      #expect(command.options.first { $0.name == "monitor" }?.help == says, "\(name)")
    }
  }

  @Test func `negative coordinates need no tricks`() throws {
    let line = "ctl add --lat -33.86 --lon -151.21 --radius 80 --id home"
    let arguments = try arguments(line.split(separator: " ").map(String.init))
    #expect(arguments.latitude == -33.86)
    #expect(arguments.longitude == -151.21)
  }

  @Test(arguments: [
    (["54:19.5N", "1e-05"], 54.325, 0.00001), (["54° 19.5' N", "010 08.4 W"], 54.325, -10.14),
  ])
  func `coordinates may be as charts have them`(
    texts: [String], latitude: Double, longitude: Double
  ) throws {
    let arguments = try arguments([
      "ctl", "add", "--lat", texts[0], "--lon", texts[1], "--radius", "80",
    ])
    #expect(abs(try #require(arguments.latitude) - latitude) < 1e-12)
    #expect(abs(try #require(arguments.longitude) - longitude) < 1e-12)
  }

  @Test func `what is no coordinate is told with what would be one`() {
    let words = ["ctl", "add", "--lat", "54:19.5E", "--lon", "1", "--radius", "80"]
    let error = #expect(throws: UsageError.self) { try Program.definition.parse(words) }
    #expect(
      error?.description
        == "geofenced ctl add: --lat wants degrees such as 8.25 or 8:15N, got '54:19.5E'")
  }
}
