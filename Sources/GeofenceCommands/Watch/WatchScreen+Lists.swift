import ControlInterface
import Geofencing

extension WatchScreen {
  /// The columns of the conditions: the offset and the width of each.
  private struct Columns {
    let name: Int
    let state: Int
    let distance: Int
    let probability: Int?
    let note: Int?
    let isNoteLong: Bool

    static let stateWidth = 11
    static let distanceWidth = 16
    static let probabilityWidth = 7

    /// As many columns as there is room for; the name gets the rest.
    init(in width: Int) {
      isNoteLong = width >= 104
      let noteWidth = isNoteLong ? 36 : 17
      note = width >= 76 ? width - noteWidth : nil
      let probabilityEnd = (note.map { $0 - 2 }) ?? width
      probability = width >= 56 ? probabilityEnd - Self.probabilityWidth : nil
      let distanceEnd = (probability.map { $0 - 2 }) ?? probabilityEnd
      distance = distanceEnd - Self.distanceWidth
      state = distance - 1 - Self.stateWidth
      name = max(4, state - 3)
    }
  }

  /// Draws the conditions, nearest first, and returns for how many there is room.
  mutating func drawConditions(in area: Canvas.Area) -> Int {
    guard area.rows > 0 else { return 0 }
    let columns = Columns(in: area.columns - 1)
    let hasTitles = area.rows >= 6
    let first = hasTitles ? 2 : 1
    let rows = max(0, area.rows - first)
    let conditions = model.nearest?.value.conditions ?? []
    let total = model.nearest?.value.total ?? 0
    let start = max(0, min(model.firstCondition, conditions.count - rows))
    let shown = conditions.dropFirst(start).prefix(rows)
    drawRule(title(start, shown.count, of: total), in: area.row(0))
    guard model.nearest != nil else { return rows }
    if conditions.isEmpty {
      let whose = model.monitor.map { "in monitor '\($0)'" } ?? "is watched"
      canvas.put("No condition \(whose).", in: area.row(1), at: 1)
      return rows
    }
    if hasTitles {
      let row = area.row(1)
      canvas.put("CONDITION", in: row, at: 1, .bold)
      canvas.put("STATE", in: row, at: columns.state, .bold)
      canvas.put(
        "DISTANCE".paddedLeft(to: Columns.distanceWidth), in: row, at: columns.distance, .bold)
      if let probability = columns.probability {
        canvas.put("P".paddedLeft(to: Columns.probabilityWidth), in: row, at: probability, .bold)
      }
      if let note = columns.note { canvas.put("CONFIRMING", in: row, at: note, .bold) }
    }
    for (index, condition) in shown.enumerated() {
      draw(condition, in: area.row(first + index), columns)
    }
    return rows
  }

  private func title(_ start: Int, _ shown: Int, of total: Int) -> String {
    let all = Quantity.count(total, "condition", "conditions")
    guard shown < total else { return total == 0 ? "Conditions" : all }
    return start == 0
      ? "The nearest \(shown) of \(all)"
      : "\(start + 1) to \(start + shown) of \(all), nearest first"
  }

  private mutating func draw(
    _ nearby: Nearest.Nearby, in row: Canvas.Area, _ columns: Columns
  ) {
    let name = WatchText.name(
      user: nearby.user, monitor: nearby.monitor, identifier: nearby.identifier, in: model,
      isShort: columns.probability == nil)
    var nameRow = row
    nameRow.columns = 1 + columns.name
    canvas.put(name, in: nameRow, at: 1)
    let look: Canvas.Look =
      switch nearby.state {
      case .satisfied: .good
      case .unsatisfied: .plain
      case .unknown, .unmonitored: .doubtful
      }
    canvas.put(nearby.state.rawValue, in: row, at: columns.state, look)
    let distance = nearby.distance.map(Quantity.distance) ?? "-"
    canvas.put(distance.paddedLeft(to: Columns.distanceWidth), in: row, at: columns.distance, look)
    if let column = columns.probability {
      let probability = nearby.probability.map(Quantity.probability) ?? "-"
      canvas.put(probability.paddedLeft(to: Columns.probabilityWidth), in: row, at: column, look)
    }
    if let column = columns.note,
      let note = WatchText.note(nearby, isLong: columns.isNoteLong)
    {
      canvas.put(note, in: row, at: column, .doubtful)
    }
  }

  /// From how many columns on the line of an event begins with its day and its number.
  private static let roomyEvents = 60

  /// Draws the events, newest first.
  mutating func drawEvents(in area: Canvas.Area) {
    guard area.rows > 0 else { return }
    drawRule("Events, newest first", in: area.row(0))
    if model.events.isEmpty {
      canvas.put("None lately.", in: area.row(1), at: 1)
      return
    }
    for (index, event) in model.events.prefix(area.rows - 1).enumerated() {
      let transition = event.transition
      let key = transition.key
      let isRoomy = area.columns >= Self.roomyEvents
      let name = WatchText.name(
        user: key.monitor.user, monitor: key.monitor.name, identifier: key.identifier, in: model,
        isShort: !isRoomy)
      var line = ""
      if isRoomy {
        line += "\(WatchText.dayAndTime(transition.date, in: zone))  #\(event.sequence)".padded(
          to: 20)
        line += " \(transition.kind.rawValue.padded(to: 12)) "
      } else {
        line += "\(WatchText.time(transition.date, in: zone)) \(transition.kind.rawValue) "
      }
      line += name
      let details = EventText.details(of: transition, in: zone)
      if !details.isEmpty { line += "  (\(details.joined(separator: ", ")))" }
      canvas.put(line, in: area.row(1 + index), at: 1, look(of: transition))
    }
  }

  private func look(of transition: Transition) -> Canvas.Look {
    switch transition.kind {
    case .entered: .good
    case .undetermined, .unmonitored: .doubtful
    case .determined, .exited, .crossed: .plain
    }
  }
}

extension String {
  /// This text with spaces in front of it up to a width.
  fileprivate func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
