import Glibc

/// The cells of the globe for circles of one size: rows of latitude, each with as many cells as make them about
/// square.
///
/// A cell is at least as high as the circles' radius, and at least five kilometres. So the poles are nothing special,
/// and all that is near a position is in a few cells.
struct CellRows {
  /// The exponent of two of the number of rows.
  private let level: Int

  /// - Parameter size: the exponent of two of the largest radius in metres.
  init(size: Int) { level = min(max(24 - size, 0), Self.finest) }

  private static let finest = 12

  var count: Int { 1 << level }
  private var shift: Int { 31 - level }

  /// The row of a latitude in units; beyond the poles it is the last row.
  func row(at latitude: Int64) -> Int { Int(min(max(latitude, 0), Int64(Int32.max)) >> shift) }

  /// How many cells a row has.
  func columns(in row: Int) -> UInt64 { Self.columns[count + row] }

  /// The number of columns of each row of each level, level after level.
  private static let columns: [UInt64] =
    [1]
    + (0...finest).flatMap { level in
      (0..<1 << level).map { row in
        let height = 180 / Double(1 << level)
        let south = Double(row) * height - 90
        // The side towards the equator is the longest.
        let nearest = south > 0 ? south : min(south + height, 0)
        return UInt64(Double(2 << level) * max(cos(nearest * .pi / 180), 0)) + 1
      }
    }

  /// The cell of a row and a column.
  @inline(__always)
  func cell(_ row: Int, _ column: UInt64) -> Cell {
    let columns = columns(in: row)
    let west = Self.west(column, columns)
    return Cell(
      south: UInt32(row << shift), height: 1 << shift, west: UInt32(truncatingIfNeeded: west),
      width: Self.west(column + 1, columns) - west)
  }

  /// The longitude at which a column begins, in units.
  private static func west(_ column: UInt64, _ columns: UInt64) -> UInt64 {
    ((column << 32) + columns - 1) / columns
  }

  /// The row and column of a position.
  func place(of position: BinaryAngles) -> (row: Int, column: UInt64) {
    let row = row(at: Int64(position.latitude))
    return (row, (UInt64(position.longitude) * columns(in: row)) >> 32)
  }
}
