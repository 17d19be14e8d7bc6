import LinuxSystem

/// A screen of characters, each with a look.
///
/// A text that is too long for its place is cut, and a character that can't be drawn becomes a question mark.
struct Canvas: Sendable, Hashable {
  /// How a character looks.
  ///
  /// The text alone has all the meaning: a look only helps the eye.
  struct Look: Sendable, Hashable {
    /// The colours that are used, by their numbers in ECMA-48's SGR.
    enum Color: Int, Sendable {
      case red = 31
      case green = 32
      case yellow = 33
    }

    var color: Color?
    var isBold = false
    var isReversed = false

    static let plain = Look()
    static let bold = Look(isBold: true)
    static let bar = Look(isReversed: true)
    static let good = Look(color: .green)
    static let doubtful = Look(color: .yellow)
    static let trouble = Look(color: .red, isBold: true)
  }

  /// One character and how it looks.
  struct Cell: Sendable, Hashable {
    var character: Unicode.Scalar = " "
    var look = Look.plain
  }

  /// A part of the screen.
  struct Area: Sendable, Hashable {
    var row: Int
    var column: Int
    var rows: Int
    var columns: Int

    /// A row of the area, counted from the top, as an area of its own; empty below the last row.
    func row(_ number: Int) -> Area {
      Area(
        row: row + number, column: column, rows: number < rows ? 1 : 0,
        columns: number < rows ? columns : 0)
    }
  }

  let size: Terminal.Size
  let abilities: TerminalAbilities
  private(set) var cells: [Cell]

  /// The largest size that is drawn: a terminal may claim any size.
  private static let largest = Terminal.Size(rows: 1_000, columns: 2_000)

  /// An empty screen.
  init(_ size: Terminal.Size, _ abilities: TerminalAbilities) {
    self.size = Terminal.Size(
      rows: min(max(1, size.rows), Self.largest.rows),
      columns: min(max(1, size.columns), Self.largest.columns))
    self.abilities = abilities
    cells = Array(repeating: Cell(), count: self.size.rows * self.size.columns)
  }

  /// The whole screen.
  var area: Area { Area(row: 0, column: 0, rows: size.rows, columns: size.columns) }

  /// Puts a text into the first row of an area, `offset` columns from its left side.
  mutating func put(_ text: String, in area: Area, at offset: Int = 0, _ look: Look = .plain) {
    let room = min(area.columns, size.columns - area.column) - offset
    guard area.rows > 0, (0..<size.rows).contains(area.row), offset >= 0, room > 0 else { return }
    var characters = abilities.drawable(text)
    if characters.count > room {
      characters = characters.prefix(room - 1) + abilities.drawable("…")
    }
    let start = area.row * size.columns + area.column + offset
    for (index, character) in characters.enumerated() {
      cells[start + index] = Cell(character: character, look: look)
    }
  }

  /// Puts a text at the right end of an area's first row; what doesn't fit is left out.
  ///
  /// - Returns: How many columns from the left side it begins.
  mutating func putRight(_ text: String, in area: Area) -> Int {
    let offset = area.columns - abilities.drawable(text).count
    guard offset >= 0 else { return area.columns }
    put(text, in: area, at: offset)
    return offset
  }

  /// Gives a look to an area's first row, without changing the text.
  mutating func fill(_ area: Area, _ look: Look) {
    guard (0..<size.rows).contains(area.row), area.rows > 0 else { return }
    for column in area.column..<min(area.column + area.columns, size.columns) {
      cells[area.row * size.columns + column].look = look
    }
  }
}
