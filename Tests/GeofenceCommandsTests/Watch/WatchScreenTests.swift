import ControlInterface
import Foundation
import Geofencing
import LinuxSystem
import Testing

@testable import GeofenceCommands

/// What `ctl watch` shows, as text: every size, and everything that can be wrong.
struct WatchScreenTests {
  /// The sizes that matter: the smallest that is usable, the usual one, a large one.
  static let sizes = [
    Terminal.Size(rows: 10, columns: 40), Terminal.Size(rows: 24, columns: 80),
    Terminal.Size(rows: 50, columns: 200),
  ]

  private static let now = Timestamp(rfc3339: "2026-05-04T08:01:51.250Z")

  private func screen(
    _ model: WatchModel, _ size: Terminal.Size, after seconds: Double = 0,
    _ abilities: TerminalAbilities = TerminalAbilities(), in zone: Geofencing.TimeZone = .utc
  ) throws -> WatchScreen {
    WatchScreen(
      model, now: try #require(Self.now),
      uptime: .seconds(100) + .milliseconds(Int64(seconds * 1000)),
      in: zone, size: size, abilities)
  }

  private func lines(
    _ model: WatchModel, _ size: Terminal.Size = sizes[1], after seconds: Double = 0,
    in zone: Geofencing.TimeZone = .utc
  ) throws -> [String] {
    let lines = try screen(model, size, after: seconds, in: zone).canvas.lines
    #expect(lines.count == size.rows)
    #expect(lines.allSatisfy { $0.count <= size.columns })
    return lines
  }

  @Test func `at 80x24 everything has its place`() throws {
    #expect(
      try lines(.onTheWay()) == [
        " geofenced watch                                           2026-05-04 08:01:51Z",
        " Position  48.200012 16.312346 ±4.2 m  altitude 171 m ±6.5 m",
        " Fix       3D, 13 of 14 satellites used  08:01:51, 0.3 s ago",
        " Motion    14.0 m/s (50 km/h), course 90°, moving",
        " Receiver  gpsd 3.25 at 127.0.0.1:2947, /dev/ttyACM0",
        "─ 3 conditions ─────────────────────────────────────────────────────────────────",
        " CONDITION             STATE               DISTANCE        P  CONFIRMING",
        " default/home          satisfied        12 m inside   99.8 %",
        " trip/office           unsatisfied     9.4 m inside   99.4 %  inside 1/2 0/1 s",
        " trip/kiosk            unsatisfied  15.0 km outside   <0.1 %  accuracy limited",
        "", "", "", "", "", "", "",
        "─ Events, newest first ─────────────────────────────────────────────────────────",
        " 05-04 08:01:49  #3   entered      default/home  (12 m inside)",
        " 05-04 07:58:02  #2   exited       trip/office  (10 m outside, after 1 min 43 s)",
        "", "", "",
        " 3 conditions, 1 satisfied; geofenced 0.1.0                      q quit  ? help",
      ])
  }

  @Test func `times are of one kind of clocks, and it is told which`() throws {
    // Set forward by half an hour since the first of the events.
    let change = try #require(Timestamp(rfc3339: "2026-05-04T08:00:00Z"))
    let zone = Geofencing.TimeZone { $0 * 1_000_000_000 < change.nanoseconds ? 18_000 : 19_800 }
    let usual = try lines(.onTheWay(), in: zone)
    #expect(
      usual[0] == " geofenced watch                                      2026-05-04 13:31:51+05:30")
    #expect(usual[2].contains("  13:31:51, 0.3 s ago"))
    #expect(usual.contains { $0.hasPrefix(" 05-04 13:31:49  #3 ") })
    #expect(usual.contains { $0.hasPrefix(" 05-04 13:28:02  #2 ") })
    let small = try lines(.onTheWay(), Self.sizes[0], in: zone)
    #expect(small[0] == " geofenced watch         13:31:51+05:30")
  }

  @Test func `at 40x10 what matters most is left, and nothing wraps`() throws {
    #expect(
      try lines(.onTheWay(), Self.sizes[0]) == [
        " geofenced watch   2026-05-04 08:01:51Z",
        " Position  48.200012 16.312346 ±4.2 m  …",
        " Fix       3D, 13 of 14 satellites used…",
        "─ 3 conditions ─────────────────────────",
        " home      satisfied        12 m inside",
        " office    unsatisfied     9.4 m inside",
        " kiosk     unsatisfied  15.0 km outside",
        "─ Events, newest first ─────────────────",
        " 08:01:49 entered home  (12 m inside)",
        " 3 conditions, 1 satisf… q quit  ? help",
      ])
  }

  @Test func `at 200x50 events stand beside the conditions`() throws {
    let lines = try lines(.onTheWay(), Self.sizes[2])
    #expect(lines[5].hasPrefix("─ 3 conditions ─") && lines[5].contains("─ Events, newest first ─"))
    #expect(lines[7].contains("default/home") && lines[7].contains("  #2   exited"))
    #expect(lines[8].contains("inside 1 of 2 fixes, 0.0 of 1.0 s"))
    #expect(lines[49].hasSuffix("q quit  ? help"))
  }

  @Test(arguments: [
    (1, 1), (1, 200), (2, 2), (3, 10), (5, 20), (9, 39), (10, 40), (24, 80), (50, 200), (500, 500),
    (50, 20), (8, 400), (0, 0),
  ])
  func `no size is too small or too large`(rows: Int, columns: Int) throws {
    for helps in [false, true] {
      var model = WatchModel.onTheWay(conditions: 1000)
      model.showsHelp = helps
      let canvas = try screen(model, Terminal.Size(rows: rows, columns: columns)).canvas
      #expect(canvas.cells.count == max(1, rows) * max(1, columns))
    }
  }

  @Test(arguments: sizes)
  func `before anything is heard there is a frame`(size: Terminal.Size) throws {
    let lines = try lines(WatchModel(user: 1000), size)
    #expect(lines[0].hasPrefix(" geofenced watch"))
    #expect(lines[1] == " Position  none yet")
    #expect(lines[size.rows - 1].hasSuffix("q quit  ? help"))
  }

  @Test(arguments: sizes)
  func `without a fix the conditions are there, at no distance`(size: Terminal.Size) throws {
    var model = WatchModel(user: 1000)
    model.hear(.sample { $0.mode = 0 }, at: .seconds(100))
    model.hear(
      Nearest.Reply(conditions: [.sample("home", .unknown, distance: nil)], total: 1),
      at: .seconds(100))
    let lines = try lines(model, size)
    #expect(lines[1] == " Position  none yet")
    #expect(lines[2].hasPrefix(" Fix       none"))
    #expect(lines.contains { $0.contains("unknown") && $0.contains("  -") })
  }

  @Test(arguments: sizes)
  func `no conditions and no events are said in words`(size: Terminal.Size) throws {
    var model = WatchModel(user: 1000, monitor: "trip")
    model.hear(Nearest.Reply(conditions: [], total: 0), at: .seconds(100))
    let text = try lines(model, size).joined(separator: "\n")
    #expect(text.contains("No condition in monitor 'trip'."))
    #expect(text.contains("None lately."))
  }

  @Test(arguments: sizes)
  func `a receiver that isn't reached is told at every size`(size: Terminal.Size) throws {
    var model = WatchModel.onTheWay()
    model.hear(
      .sample {
        $0.source = nil
        $0.disconnection = "Connection refused"
      }, at: .seconds(100))
    let screen = try screen(model, size, after: 12)
    let receiver = try #require(
      screen.canvas.lines.firstIndex { $0.hasPrefix(" Receiver  not reached at 127.") })
    #expect(screen.canvas.cells[receiver * size.columns + 11].look == .trouble)
    // What was known stays, and grows old.
    #expect(screen.canvas.lines[1].hasPrefix(" Position  48.200012 16.312346"))
    if size.rows > 10 { #expect(screen.canvas.lines[2].contains("12 s ago")) }
  }

  @Test func `a pause counts down to the next look`() throws {
    var model = WatchModel.onTheWay()
    model.hear(
      .sample {
        $0.stationary = true
        $0.pausedSince = Self.now
        $0.released = true
        $0.nextProbe = 42.4
        $0.source = nil
      }, at: .seconds(100))
    let expected = " Motion    stationary, paused since 08:01:51, released, next look in 40 s"
    #expect(try lines(model, after: 2)[3] == expected)
    let wide = try lines(model, Self.sizes[2], after: 2)
    #expect(wide[3] == expected)
    #expect(wide[4].contains("released while nothing moves"))
    #expect(try lines(model, Self.sizes[0])[2].hasPrefix(" Receiver  released while"))
  }

  @Test(arguments: sizes)
  func `a daemon that is gone is told, and what it said stays`(size: Terminal.Size) throws {
    var model = WatchModel.onTheWay()
    model.miss(Errno.connectionRefused)
    let gone = try lines(model, size)
    #expect(gone[size.rows - 1].hasPrefix(" Daemon is gone, tryin"))
    #expect(gone.contains { $0.contains("12 m inside") })
    model.hear(.sample(), at: .seconds(100))
    #expect(try lines(model, size)[size.rows - 1].hasPrefix(" 3 conditions, 1 satis"))
    #expect(try lines(model, size, after: 7)[size.rows - 1].hasPrefix(" Daemon hasn't answere"))
  }

  @Test func `storage that fails is told`() throws {
    var model = WatchModel.onTheWay()
    var status = Status.Reply.sample()
    status.storage.failure = "disk full"
    status.storage.pending = 7
    model.hear(status, at: .seconds(100))
    #expect(
      try lines(model)[23].hasPrefix(" Storage FAILS: disk full; 7 events wait in memory  "))
  }

  @Test(arguments: sizes)
  func `a thousand conditions can be scrolled to the last`(size: Terminal.Size) throws {
    var model = WatchModel.onTheWay(conditions: 1000)
    model.pageLength = try screen(model, size).conditionRows
    let rows = model.pageLength
    let first = try lines(model, size)
    #expect(first.contains { $0.contains(" The nearest \(rows) of 1000 conditions ") })
    model.scroll(by: 1)
    let second = try lines(model, size)
    #expect(second.contains { $0.contains(" 2 to \(rows + 1) of 1000 conditions") })
    model.scroll(by: 1_000_000)
    let last = try lines(model, size)
    #expect(last.contains { $0.contains(" \(51 - rows) to 50 of 1000") })
    model.scroll(by: -1_000_000)
    #expect(model.firstCondition == 0)
  }

  @Test(arguments: sizes)
  func `long identifiers are cut and leave the columns alone`(size: Terminal.Size) throws {
    let long = String(repeating: "x", count: 128)
    var model = WatchModel(user: 1000)
    model.hear(
      Nearest.Reply(
        conditions: [.sample("a"), .sample(long, monitor: long)], total: 2), at: .seconds(100))
    let rows = try lines(model, size).filter { $0.contains("unsatisfied") }
    let columns = rows.map { $0.components(separatedBy: "unsatisfied")[0].count }
    #expect(rows.count == 2 && columns[0] == columns[1])
    #expect(rows[1].contains("…"))
  }

  @Test func `the owner and the monitor stand where they differ`() throws {
    var model = WatchModel(user: 0)
    model.hear(
      Nearest.Reply(conditions: [.sample("a", monitor: "m", user: 1000)], total: 1),
      at: .seconds(100))
    #expect(try lines(model)[7].hasPrefix(" 1000:m/a "))
    model.monitor = "m"
    model.user = 1000
    #expect(try lines(model)[7].hasPrefix(" a "))
  }

  @Test(arguments: sizes)
  func `no control character of a name reaches the terminal`(size: Terminal.Size) throws {
    var model = WatchModel.onTheWay()
    let odd = "/dev/\u{1b}[2J\u{07}tty\u{9b}\n\u{202e}é漢👩‍👩‍👧"
    model.hear(
      .sample {
        $0.devices = [odd]
        $0.source = odd
        $0.disconnection = size.rows > 10 ? nil : odd
      }, at: .seconds(100))
    for isUTF8 in [true, false] {
      var abilities = TerminalAbilities()
      abilities.isUTF8 = isUTF8
      let canvas = try screen(model, size, after: 0, abilities).canvas
      let drawn = Set(canvas.cells.map(\.character))
      #expect(
        drawn.subtracting(["±", "°", "─", "…"]).allSatisfy { (0x20...0x7e).contains($0.value) })
      if size.columns > 40 {
        #expect(canvas.lines.contains { $0.contains("/dev/?[2J?tty") })
      }
      if !isUTF8 {
        #expect(drawn.allSatisfy { $0.isASCII })
        #expect(canvas.lines[1].contains("+/-4.2 m"))
      }
    }
  }

  @Test func `help takes the place of the lists`() throws {
    var model = WatchModel.onTheWay()
    model.showsHelp = true
    let text = try lines(model).joined(separator: "\n")
    #expect(text.contains("q, Ctrl-C") && text.contains("Ctrl-Z"))
    #expect(!text.contains("default/home"))
  }
}
