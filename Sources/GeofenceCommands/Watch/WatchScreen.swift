import ControlInterface
import Geofencing
import LinuxSystem

/// Draws a ``WatchModel`` on a ``Canvas``.
struct WatchScreen {
  /// From how many columns on the events are drawn beside the conditions.
  private static let wide = 130

  let model: WatchModel

  /// The present by the system's clock, and as uptime.
  let now: Timestamp
  let uptime: Duration

  /// The time zone of the times.
  let zone: TimeZone

  var canvas: Canvas

  /// For how many conditions there is room.
  private(set) var conditionRows = 0

  /// Draws a model.
  init(
    _ model: WatchModel, now: Timestamp, uptime: Duration, in zone: TimeZone,
    size: Terminal.Size, _ abilities: TerminalAbilities
  ) {
    self.model = model
    self.now = now
    self.uptime = uptime
    // The present offset for all times, even if the clocks were changed since an event.
    self.zone = zone.asAt(now)
    canvas = Canvas(size, abilities)
    draw()
  }

  private mutating func draw() {
    let size = canvas.size
    let header = headerLines(atMost: size.rows >= 14 ? 4 : size.rows >= 8 ? 2 : 1)
    drawTitle()
    for (index, line) in header.enumerated() {
      let row = canvas.area.row(1 + index)
      canvas.put(line.label, in: row, at: 1, .bold)
      canvas.put(line.text, in: row, at: 11, line.look)
    }
    let top = 1 + header.count
    let body = Canvas.Area(
      row: top, column: 0, rows: max(0, size.rows - top - 1), columns: size.columns)
    if model.showsHelp {
      drawHelp(in: body)
    } else {
      var (conditions, events) = (body, body)
      if size.columns >= Self.wide {
        conditions.columns = size.columns * 11 / 20
        events.column = conditions.columns + 1
        events.columns -= events.column
      } else {
        events.rows = body.rows < 4 ? 0 : max(2, body.rows / 3)
        conditions.rows -= events.rows
        events.row += conditions.rows
      }
      conditionRows = drawConditions(in: conditions)
      drawEvents(in: events)
    }
    if size.rows > 1 { drawStatus() }
  }

  /// A line across an area with a title in it.
  mutating func drawRule(_ title: String, in area: Canvas.Area) {
    canvas.put(String(repeating: "─", count: area.columns), in: area)
    canvas.put(" \(title) ", in: area, at: 1, .bold)
  }

  private mutating func drawTitle() {
    let row = canvas.area.row(0)
    var title = " geofenced watch"
    if let monitor = model.monitor { title += ", monitor \(monitor)" }
    let time = WatchText.time(now, in: zone) + zone.suffix(at: now) + " "
    let clock = "\(now.readable(in: zone).prefix(10)) \(time)"
    // Without room for both, the time zone is more important than the day.
    let hasRoom = title.count + clock.count < row.columns
    let clockBegins = canvas.putRight(hasRoom ? clock : time, in: row)
    canvas.put(title.count < clockBegins ? title : title.padded(to: row.columns), in: row)
    canvas.fill(row, .bar)
  }

  private mutating func drawStatus() {
    var row = canvas.area.row(canvas.size.rows - 1)
    row.columns = canvas.putRight("q quit  ? help ", in: row) - 1
    if let trouble = model.trouble {
      canvas.put("Daemon is gone, trying again: \(trouble)", in: row, at: 1, .trouble)
      return
    }
    guard let (status, silence) = model.status.map({ ($0.value, uptime - $0.uptime) }) else {
      return
    }
    if silence > model.patience {
      canvas.put(
        "Daemon hasn't answered for \(silence.readable)", in: row, at: 1, .trouble)
      return
    }
    if let failure = status.storage.failure {
      canvas.put(
        "Storage \(StatusCommand.fails(status.storage, failure))", in: row, at: 1, .trouble)
      return
    }
    var count = Quantity.count(status.conditions, "condition", "conditions")
    // The daemon's count is for all monitors.
    if model.monitor != nil { count += " in all monitors" }
    canvas.put(
      "\(count), \(status.satisfied) satisfied; geofenced \(status.version)", in: row, at: 1)
  }

  private mutating func drawHelp(in area: Canvas.Area) {
    drawRule("Keys", in: area.row(0))
    let keys = [
      ("q, Ctrl-C", "quit"), ("up, down, k, j", "the conditions before, and those further on"),
      ("PgUp, PgDn, b, space", "a page of them"), ("Ctrl-L", "draw everything anew"),
      ("Ctrl-Z", "to the shell; 'fg' comes back"), ("?, h", "this, and back"),
    ]
    for (index, (key, meaning)) in keys.enumerated() {
      canvas.put(key, in: area.row(index + 1), at: 2, .bold)
      canvas.put(meaning, in: area.row(index + 1), at: 24)
    }
    let notes = [
      "Distances are to the nearest edge, from where the position most probably",
      "is; P is the probability of being inside. Times are as the clock above shows.",
    ]
    for (index, note) in notes.enumerated() {
      canvas.put(note, in: area.row(keys.count + 2 + index), at: 2)
    }
  }
}
