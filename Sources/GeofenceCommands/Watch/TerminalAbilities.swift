/// What may be written to a terminal, by what its environment says.
struct TerminalAbilities: Sendable, Hashable {
  /// Whether the cursor can be moved: all terminals since the VT100 can, but not what calls itself
  /// dumb.
  var movesCursor = true

  /// Whether colours are known, and wanted.
  var hasColors = true

  /// Whether characters beyond ASCII are.
  var isUTF8 = true

  init() {}

  /// Looks at `TERM`, `COLORTERM`, `NO_COLOR` (no-color.org), and the locale of characters: the first
  /// of `LC_ALL`, `LC_CTYPE` and `LANG` that is set (locale(7)).
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

  /// The characters beyond ASCII that are written, and what stands for each where they can't be.
  private static let symbols: [Unicode.Scalar: String] = [
    "±": "+/-", "°": " deg", "─": "-", "…": "~",
  ]

  /// A text as characters that each take one cell and can't do anything else.
  ///
  /// Everything else becomes a question mark: names of devices and messages come from elsewhere, and
  /// a control character among them could do what it likes with the terminal.
  func drawable(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
      if (0x20...0x7e).contains(scalar.value) { return [scalar] }
      guard let plain = Self.symbols[scalar] else { return ["?"] }
      return isUTF8 ? [scalar] : Array(plain.unicodeScalars)
    }
  }
}
