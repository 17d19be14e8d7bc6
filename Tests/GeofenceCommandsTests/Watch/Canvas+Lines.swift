import LinuxSystem

@testable import GeofenceCommands

extension Canvas {
  /// The rows as text, without the spaces at their ends.
  var lines: [String] {
    (0..<size.rows).map { row in
      var line = String.UnicodeScalarView(
        cells[(row * size.columns)..<((row + 1) * size.columns)].map(\.character))
      while line.last == " " { line.removeLast() }
      return String(line)
    }
  }
}
