import ControlInterface
import Geofencing
import LinuxSystem
import Testing

@testable import GeofenceCommands

/// What `ctl watch` writes to a terminal and reads from it, without a terminal.
struct WatchTerminalTests {
  private let size = Terminal.Size(rows: 3, columns: 20)

  private func canvas(
    _ texts: [String], _ look: Canvas.Look = .plain,
    _ abilities: TerminalAbilities = TerminalAbilities()
  ) -> Canvas {
    var canvas = Canvas(size, abilities)
    for (row, text) in texts.enumerated() { canvas.put(text, in: canvas.area.row(row), look) }
    return canvas
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Frames

  @Test func `only what changed is written`() {
    var writer = ScreenWriter()
    #expect(
      text(writer.bytes(for: canvas(["speed 10", "", "end"])))
        == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1Hspeed\u{1b}[1;7H10\u{1b}[3;1Hend")
    #expect(writer.bytes(for: canvas(["speed 10", "", "end"])) == [])
    #expect(text(writer.bytes(for: canvas(["speed 12", "", "end"]))) == "\u{1b}[1;8H2")
    #expect(text(writer.bytes(for: canvas(["speed", "", "end"]))) == "\u{1b}[1;7H  ")
    writer.forget()
    #expect(text(writer.bytes(for: canvas(["x"]))) == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1Hx")
  }

  @Test func `a row that was written to its end isn't believed to have wrapped`() {
    var writer = ScreenWriter()
    let full = String(repeating: "a", count: 20)
    #expect(
      text(writer.bytes(for: canvas([full, "b"])))
        == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1H\(full)\u{1b}[2;1Hb")
  }

  @Test func `another size is another screen`() {
    var writer = ScreenWriter()
    _ = writer.bytes(for: canvas(["a"]))
    let other = Canvas(Terminal.Size(rows: 2, columns: 2), TerminalAbilities())
    #expect(text(writer.bytes(for: other)) == "\u{1b}[0m\u{1b}[2J")
  }

  @Test func `a terminal that claims any size takes no memory for it`() {
    let vast = Canvas(Terminal.Size(rows: 65_535, columns: 65_535), TerminalAbilities())
    #expect(vast.size == Terminal.Size(rows: 1_000, columns: 2_000))
  }

  @Test func `without colours a look is bold or reversed at the most`() {
    var abilities = TerminalAbilities()
    for (hasColors, bytes) in [(true, "\u{1b}[0;1;31m"), (false, "\u{1b}[0;1m")] {
      abilities.hasColors = hasColors
      var writer = ScreenWriter()
      #expect(
        text(writer.bytes(for: canvas(["a"], .trouble, abilities)))
          == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1H\(bytes)a\u{1b}[0m")
    }
  }

  // MARK: The environment

  @Test(arguments: [
    (["TERM": "xterm-256color"], true, true), (["TERM": "dumb"], false, false),
    (["TERM": "dumb", "COLORTERM": "truecolor"], false, false), ([:], false, false),
    (["TERM": ""], false, false), (["TERM": "vt100"], true, false),
    (["TERM": "vt220", "COLORTERM": "yes"], true, true), (["TERM": "xterm-m"], true, false),
    (["TERM": "xterm", "NO_COLOR": "1"], true, false),
    (["TERM": "linux", "NO_COLOR": ""], true, true),
    (["TERM": "screen", "NO_COLOR": "0", "COLORTERM": "truecolor"], true, false),
  ])
  func `colours follow TERM, COLORTERM and NO_COLOR`(
    environment: [String: String], movesCursor: Bool, hasColors: Bool
  ) {
    let abilities = TerminalAbilities { environment[$0] }
    #expect(abilities.movesCursor == movesCursor)
    #expect(abilities.hasColors == hasColors)
  }

  @Test(arguments: [
    (["LANG": "C.UTF-8"], true), (["LANG": "de_AT.utf8"], true), ([:], false),
    (["LANG": "C"], false), (["LANG": "en_US.UTF-8", "LC_ALL": "C"], false),
    (["LANG": "en_US.UTF-8", "LC_ALL": ""], true), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true),
    (["LANG": "de_AT.ISO-8859-1"], false),
  ])
  func `characters beyond ASCII follow the locale`(environment: [String: String], isUTF8: Bool) {
    #expect(TerminalAbilities { environment[$0] }.isUTF8 == isUTF8)
  }

  // MARK: Keys

  @Test(arguments: [
    ("q", [WatchKey.quit]), ("Q", [.quit]), ("\u{03}", [.quit]), ("\u{1a}", [.suspend]),
    ("\u{1b}[A\u{1b}[Bq", [.up, .down, .quit]), ("\u{1b}OA", [.up]),
    (
      "kj b?\u{0c}",
      [
        .up, .down, .pageDown, .pageUp, .help, .redraw,
      ]
    ), ("\u{1b}[5~\u{1b}[6~", [.pageUp, .pageDown]), ("xyz\u{1b}[1;5Cw\u{1b}w", []),
    // Escape is no key, and takes no other one away.
    ("\u{1b}q", [.quit]), ("\u{1b}\u{1b}[Aq", [.up, .quit]),
    // What the mouse or a paste may send quits nothing by accident of its letters.
    ("\u{1b}[200qq", [.quit]),
  ])
  func `keys are known, however the bytes are cut`(text: String, keys: [WatchKey]) {
    var whole = WatchKeyDecoder()
    #expect(whole.keys(from: Array(text.utf8)) == keys)
    var cut = WatchKeyDecoder()
    #expect(text.utf8.flatMap { cut.keys(from: [$0]) } == keys)
  }

  // MARK: The model

  @Test func `the newest two hundred events are kept, newest first`() {
    var model = WatchModel(user: 1000)
    let date = "2026-05-04T08:00:00.000Z"
    let events = (1...250).map { Event.sample(Int64($0), .entered, "m", "a", date, -1) }
    model.hear(Events.Reply(events: Array(events.prefix(120))))
    model.hear(Events.Reply(events: Array(events.dropFirst(120))))
    #expect(model.events.map(\.sequence) == (51...250).reversed().map(Int64.init))
  }

  @Test func `another log begins anew`() {
    var model = WatchModel.onTheWay()
    model.hear(.sample(), at: .zero)
    #expect(model.events.count == 2)
    var other = Status.Reply.sample()
    other.log = "M"
    model.hear(other, at: .zero)
    #expect(model.events == [])
  }

  @Test(arguments: [
    (1.0, 0, "1"), (-0.04, 1, "0.0"), (-0.05, 1, "-0.1"), (48.2000126, 6, "48.200013"),
    (0.05, 6, "0.050000"), (.nan, 2, "-"), (1e300, 0, "10000000000"), (12.96, 1, "13.0"),
  ])
  func `numbers have as many digits as their column`(value: Double, places: Int, text: String) {
    #expect(Quantity.fixed(value, places: places) == text)
  }

  @Test(arguments: [
    (-3.42, "3.4 m inside"), (9_999.0, "9999 m outside"), (12_345.0, "12.3 km outside"),
    (-123_456.0, "123 km inside"), (20_003_931.4, "20004 km outside"),
  ])
  func `distances fit into their column`(metres: Double, text: String) {
    #expect(Quantity.distance(metres) == text)
    #expect(text.count <= 16)
  }
}
