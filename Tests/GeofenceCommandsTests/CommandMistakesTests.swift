import CommandLineParsing
import ControlInterface
import Geofencing
import Testing
import Varlink

@testable import GeofenceCommands

/// What commands refuse before the daemon is asked, or anything is read.
struct CommandMistakesTests {
  @Test(arguments: ["/run/geofenced/events", "events", "./run//events/"])
  func `the events socket isn't taken for the control socket`(path: String) async throws {
    let arguments = try arguments(["ctl", "--socket", path, "list"])
    func check(_ call: () async throws -> Void) async {
      let failure = await #expect(throws: CommandFailure.self) { try await call() }
      #expect(failure?.exitCode == .unreachable)
      #expect(
        failure?.description
          == "\(path) is the events socket; the control socket is io.geofenced beside it")
    }
    await check { _ = try await ControlClient.call(Status.self, Status.Parameters(), arguments) }
    await check {
      try await ControlClient.stream(List.self, List.Parameters(), arguments, prompt: .all) { _ in }
    }
    await check { try await ControlClient.connected(arguments, patience: .seconds(1)) { _ in } }
  }

  @Test(arguments: [
    ("add", "--id gives a condition its name"), ("events", "--id takes the name of a condition"),
    ("list", "see --help"),
  ])
  func `who names a condition where none is wanted is told where it goes`(
    command: String, advice: String
  ) {
    let error = #expect(throws: UsageError.self) { try arguments(["ctl", command, "home"]) }
    #expect(error?.message == "unexpected argument 'home' (\(advice))")
  }

  @Test(
    arguments: [
      ("home", nil, nil, "home"), ("work/home", nil, "work", "home"),
      ("1001:work/home", 1001, "work", "home"), ("1001:home", 1001, nil, "home"),
    ] as [(String, UInt32?, String?, String)])
  func `a condition is named as lists show it`(
    text: String, user: UInt32?, monitor: String?, identifier: String
  ) throws {
    let name = ConditionName(user: user, monitor: monitor, identifier: identifier)
    let shown = try ControlClient.conditionName(arguments(["ctl", "show", text]))
    #expect(shown == name)
  }

  @Test func `nobody else's condition is taken for one of --user`() throws {
    let words = ["ctl", "show", "1001:work/home", "--user"]
    let same = try ControlClient.conditionName(arguments(words + ["1001"]))
    #expect(same.user == 1001)
    let other = try arguments(words + ["1002"])
    let error = #expect(throws: UsageError.self) { _ = try ControlClient.conditionName(other) }
    #expect(error?.message.contains("belongs to another user") == true)
    for text in ["me:work/home", "-1:work/home", "4294967295:home"] {
      #expect(throws: UsageError.self) { try arguments(["ctl", "remove", text]) }
    }
  }

  private static let circle = ["--lat", "1", "--lon", "2", "--radius", "3"]
  private static let band = ["--minimum-altitude", "20", "--maximum-altitude", "10"]

  @Test(arguments: [
    (circle + ["--enter-after", "25h"], "--enter-after wants a time from 0 to 24h, got '25h'"),
    (circle + ["--exit-after", "2d"], "--exit-after wants a time from 0 to 24h, got '2d'"),
    (
      circle + ["--altitude-reference", "ellipsoid"],
      "--altitude-reference is for --minimum-altitude and --maximum-altitude"
    ),
    (circle + band, "--minimum-altitude 20 isn't below --maximum-altitude 10"),
    (
      circle + ["--maximum-altitude", "1e6"],
      "--maximum-altitude wants metres from -20000 to 100000, got '1e6'"
    ),
    (
      circle + ["--minimum-altitude", "-3e4"],
      "--minimum-altitude wants metres from -20000 to 100000, got '-3e4'"
    ),
    (
      circle + ["--confidence", "1"],
      "--confidence: confidence 1.0 is out of range: give a probability from 0.5 to 0.9999"
    ),
    (
      ["--lat", "91", "--lon", "2", "--radius", "3"],
      "--lat: latitude 91.0 is out of range: give degrees from -90 to 90"
    ),
    (
      ["--lat", "9", "--lon", "181", "--radius", "3"],
      "--lon: longitude 181.0 is out of range: give degrees from -180 to 180"
    ),
    (
      ["--lat", "9", "--lon", "2", "--radius", "0"],
      "--radius: radius 0.0 is out of range: give metres from 1 to 2000000"
    ),
    (
      ["--line", "LINESTRING (8 47, 9 48)", "--width", "1"],
      "--width: width 1.0 is out of range: give metres from 2 to 2000000"
    ),
    (
      ["--polygon", "POLYGON ((8 97, 9 97, 9 98, 8 97))"],
      "--polygon: polygon 1, ring 1, position 1: latitude 97.0 is out of range: give degrees from "
        + "-90 to 90"
    ),
  ])
  func `what is wrong with a condition is told in the words of the command line`(
    words: [String], message: String
  ) async throws {
    let arguments = try arguments(["ctl", "--socket", "/nowhere", "add"] + words)
    let error = await #expect(throws: UsageError.self) { try await AddCommand.run(arguments) }
    #expect(error?.message == message)
  }

  @Test func `options that need or exclude others are refused`() async throws {
    let ctl = ["ctl", "--socket", "/nowhere"]
    let mistakes: [(command: any Subcommand.Type, words: [String], message: String)] = [
      (
        LocationsCommand.self, ctl + ["locations", "--configuration", "fitness"],
        "--configuration says when locations pause, so it needs --follow"
      ),
      (
        MonitorSetCommand.self, ctl + ["monitor", "set", "default"],
        "give --launch UNIT or --no-launch"
      ),
      (
        MonitorSetCommand.self,
        ctl + ["monitor", "set", "default", "--launch", "a.service", "--no-launch"],
        "give --launch UNIT or --no-launch"
      ),
      (
        ReplayCommand.self, ["replay", "--explain", "--diff-set", "ExitSec=4", "day.json"],
        "--explain explains one side: leave the --diff options out"
      ),
    ]
    for (command, words, message) in mistakes {
      let arguments = try arguments(words)
      let error = await #expect(throws: UsageError.self) { try await command.run(arguments) }
      #expect(error?.message == message)
    }
  }

  @Test(arguments: ["k.csv", "../k.KMZ", "k.geojson.gz", "./k.shp"])
  func `a file isn't written whose name says that it is something else`(path: String) async throws {
    func export(_ words: [String]) async throws {
      try await ExportCommand.run(arguments(["ctl", "--socket", "/nowhere", "export"] + words))
    }
    let error = await #expect(throws: UsageError.self) { try await export([path]) }
    #expect(error?.message.hasPrefix("FILE ends in .") == true)
    #expect(
      error?.message.hasSuffix(
        ", which isn't written: end it in .geojson, .kml or .gpx, or say --format") == true)
    // Who says what it is knows.
    let failure = await #expect(throws: CommandFailure.self) {
      try await export(["--format", "kml", path])
    }
    #expect(failure?.exitCode == .unreachable)
  }

  @Test(arguments: ["csv", ".gz", "places.today", "places.json", "places.GPX"])
  func `other names are taken`(path: String) async throws {
    let failure = await #expect(throws: CommandFailure.self) {
      try await ExportCommand.run(arguments(["ctl", "--socket", "/nowhere", "export", path]))
    }
    #expect(failure?.exitCode == .unreachable)
  }

  @Test(arguments: [
    ["--conditions", "-", "-"], ["--diff-conditions", "-", "-"],
    ["--conditions", "-", "--diff-conditions", "-", "day.json"],
  ])
  func `standard input is read once`(words: [String]) async throws {
    let arguments = try arguments(["replay"] + words)
    let error = await #expect(throws: UsageError.self) { try await ReplayCommand.run(arguments) }
    #expect(
      error?.message
        == "only one of RECORDING, --conditions and --diff-conditions can be standard input")
  }

  @Test func `the user that is nobody is refused`() throws {
    #expect(try ControlClient.user(arguments(["ctl", "list", "--user", "4294967294"])) == .max - 1)
    for number in ["4294967295", "4294967296", "-1"] {
      let error = #expect(throws: UsageError.self) {
        try ControlClient.user(arguments(["ctl", "list", "--user", number]))
      }
      #expect(error?.message == "--user wants a name or a uid, got \(number)")
    }
  }

  @Test func `a user is known by name, too`() throws {
    #expect(try ControlClient.user(arguments(["ctl", "list", "--user", "root"])) == 0)
    let error = #expect(throws: UsageError.self) {
      try ControlClient.user(arguments(["ctl", "list", "--user", "no-such user"]))
    }
    #expect(error?.message == "--user: there is no user 'no-such user'")
  }

  @Test func `what begins after its end is refused`() async throws {
    let error = await #expect(throws: UsageError.self) {
      try await EventsCommand.run(
        arguments(["ctl", "events", "--since", "2026-11-03", "--until", "2026-11-01"]))
    }
    #expect(error?.message.contains("isn't before --until 2026-11-01T") == true)
  }

  @Test func `days and times of day are dates`() throws {
    let noon = try #require(Timestamp(rfc3339: "2026-05-04T12:30:15Z"))
    let arguments = try arguments(["ctl", "events"])
    func date(_ text: String) throws -> String {
      try arguments.date(text, of: "since", today: noon).text(in: .local)
    }
    let (day, before) = (
      noon.text(in: .local).prefix(10), (noon - .seconds(86_400)).text(in: .local).prefix(10)
    )
    #expect(try date("today").hasPrefix("\(day)T00:00:00"))
    #expect(try date("yesterday").hasPrefix("\(before)T00:00:00"))
    #expect(try date("03:12").hasPrefix("\(day)T03:12:00"))
    #expect(try date("03:12:09").hasPrefix("\(day)T03:12:09"))
    for text in ["3:12", "tomorrow", "25:00", "03:12:"] {
      #expect(throws: UsageError.self) { try date(text) }
    }
  }

  @Test(arguments: [
    (["--last", "0"], "--last wants a whole number from 1, got 0"),
    (["--last", "few"], "--last wants a whole number, got 'few'"),
    (
      ["--kind", "left"],
      "--kind wants one of determined, entered, exited, crossed, undetermined, unmonitored, got 'left'"
    ),
    (
      ["--until", "1"],
      "--until wants a date such as 2026-11-20 or a time with its unit such as 2h, got 1"
    ),
    (["--until", "now", "--follow"], "--until ends before what comes: leave --follow out"),
    (
      ["--as", "log", "--kind", "exited"],
      "--as reads all events of one monitor, or of all: leave --kind out"
    ),
    (
      ["--as", "log", "--id", "home"],
      "--as reads all events of one monitor, or of all: leave --id out"
    ),
  ])
  func `events that can't be chosen so are refused`(words: [String], sentence: String) async throws
  {
    let error = await #expect(throws: UsageError.self) {
      try await EventsCommand.run(arguments(["ctl", "events"] + words))
    }
    #expect(error?.message == sentence)
  }

  @Test func `the number of an event is taken as it is shown`() async throws {
    #expect(["0", "8", "#8", "# 8"].map(EventNumber.read) == [0, 8, 8, 8])
    let others = ["", "#", "-1", "1.5", "1h", "##1", "1 2"]
    #expect(others.map(EventNumber.read).allSatisfy { $0 == nil })
    func acknowledge(_ number: String) async throws {
      try await ConsumerAcknowledgeCommand.run(
        arguments(["ctl", "--socket", "/nowhere", "consumer", "acknowledge", "log", number]))
    }
    let failure = await #expect(throws: CommandFailure.self) { try await acknowledge("#8") }
    #expect(failure?.exitCode == .unreachable)
    let error = await #expect(throws: UsageError.self) { try await acknowledge("next") }
    #expect(error?.message == "NUMBER wants a whole number from 0, got 'next'")
  }
}
