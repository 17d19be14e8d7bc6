import LinuxSystem

/// Makes the bytes with which a terminal shows a ``Canvas``: only for what it doesn't show already.
///
/// They are a few sequences of ECMA-48, which every terminal of the last decades knows, and private modes of xterm,
/// which others ignore.
struct ScreenWriter: Sendable {
  /// What the terminal shows; nil when that isn't known.
  private var shown: Canvas?

  /// The bytes at the beginning: another screen, no cursor, and no wrapping, so that the last cell can be written
  /// without scrolling.
  static let beginning = Array("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l".utf8)

  /// The bytes at the end, which make the terminal as it was.
  ///
  /// If it has no other screen, the cursor ends below everything that was written.
  static func end(_ size: Terminal.Size) -> [UInt8] {
    Array("\u{1b}[0m\u{1b}[\(size.rows);1H\u{1b}[K\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l".utf8)
  }

  /// Forgets what the terminal shows: the next canvas is written as a whole.
  mutating func forget() { shown = nil }

  /// The bytes for the next canvas; empty when the terminal shows it already.
  mutating func bytes(for canvas: Canvas) -> [UInt8] {
    var text = ""
    var old = shown
    if old?.size != canvas.size {
      old = nil
      text += "\u{1b}[0m\u{1b}[2J"
    }
    let blank = Canvas.Cell()
    var look = Canvas.Look.plain
    /// The cell of the cursor; nil if that depends on the terminal.
    var cursor: Int?
    for (index, cell) in canvas.cells.enumerated() where cell != old?.cells[index] ?? blank {
      if cursor != index {
        let (row, column) = index.quotientAndRemainder(dividingBy: canvas.size.columns)
        text += "\u{1b}[\(row + 1);\(column + 1)H"
      }
      if cell.look != look {
        text += Self.sequence(for: cell.look, canvas.abilities)
        look = cell.look
      }
      text.unicodeScalars.append(cell.character)
      cursor = (index + 1).isMultiple(of: canvas.size.columns) ? nil : index + 1
    }
    if look != .plain { text += "\u{1b}[0m" }
    shown = canvas
    return Array(text.utf8)
  }

  private static func sequence(
    for look: Canvas.Look, _ abilities: TerminalAbilities
  ) -> String {
    var numbers = ["0"]
    if look.isBold { numbers.append("1") }
    if look.isReversed { numbers.append("7") }
    if let color = look.color, abilities.hasColors { numbers.append("\(color.rawValue)") }
    return "\u{1b}[\(numbers.joined(separator: ";"))m"
  }
}
