import GeofenceReport

/// Columns that line up, with a line of titles for a person.
struct Table {
  private let titles: [String]
  private var rows: [[String]] = []

  init(_ titles: String...) { self.init(titles) }

  init(_ titles: [String]) {
    self.titles = titles
  }

  /// Adds a row, with a question mark for each control character: names of devices and versions come from elsewhere,
  /// and could control the terminal.
  mutating func add(_ cells: String...) { add(cells) }

  /// The same with the cells in an array.
  mutating func add(_ cells: [String]) {
    rows.append(
      cells.map { cell in
        String(
          String.UnicodeScalarView(
            cell.unicodeScalars.map { $0.isSteering ? "?" : $0 }))
      })
  }

  /// The lines, each column as wide as its widest cell; without rows there are no titles either.
  func render(withTitles: Bool) -> String {
    let all = (withTitles && !rows.isEmpty ? [titles] : []) + rows
    let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { cells in
      let line = zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      return (line.lastIndex { $0 != " " }.map { line[...$0] } ?? "") + "\n"
    }.joined()
  }
}
