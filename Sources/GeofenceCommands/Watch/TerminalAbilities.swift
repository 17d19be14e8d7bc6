/// What may be written to a terminal, according to its environment variables.
struct TerminalAbilities: Sendable, Hashable {
  /// Whether the cursor can be moved: all terminals since the VT100 can, except those that call themselves dumb.
  var movesCursor = true

  /// Whether colours are known and wanted.
  var hasColors = true

  /// Whether characters beyond ASCII can be shown.
  var isUTF8 = true

  init() {}

  /// Reads `TERM`, `COLORTERM`, `NO_COLOR` (no-color.org), and the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set
  /// (locale(7)).
  init(_ variable: (String) -> String?) {
    func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    let terminal = value("TERM") ?? "dumb"
    movesCursor = terminal != "dumb" && terminal != "unknown"
    let isMonochrome = ["vt", "sun", "wy"].contains { terminal.hasPrefix($0) }
    hasColors =
      movesCursor && value("NO_COLOR") == nil
      && (value("COLORTERM") != nil || !isMonochrome && !terminal.hasSuffix("-m"))
    let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
    isUTF8 = locale.hasSuffix("utf-8") || locale.hasSuffix("utf8")
  }

  /// The characters beyond ASCII that are used, and what is written for each if it can't be shown.
  private static let symbols: [Unicode.Scalar: String] = [
    "±": "+/-", "°": " deg", "─": "-", "…": "~",
  ]

  /// A text as characters that take one cell each.
  ///
  /// All others become question marks: names of devices and messages come from elsewhere, and their control characters
  /// could control the terminal.
  func drawable(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
      if (0x20...0x7e).contains(scalar.value) { return [scalar] }
      guard let plain = Self.symbols[scalar] else { return ["?"] }
      return isUTF8 ? [scalar] : Array(plain.unicodeScalars)
    }
  }
}
