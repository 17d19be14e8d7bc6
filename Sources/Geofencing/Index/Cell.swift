import Glibc

/// A piece of the globe between two latitudes and two longitudes, in ``BinaryAngles``.
struct Cell: BitwiseCopyable {
  private(set) var south: UInt32
  private(set) var height: UInt32
  private(set) var west: UInt32
  private(set) var width: UInt64

  /// The northern half, or the southern, and of that the eastern or the western: 0 to 3, from the
  /// southwest to the northeast.
  func quarter(of position: BinaryAngles) -> UInt32 {
    (position.latitude &- south >= height / 2 ? 2 : 0)
      + (UInt64(position.longitude &- west) >= width / 2 ? 1 : 0)
  }

  /// One of the four quarters.
  @inline(__always)
  func quarter(_ number: UInt32) -> Cell {
    var cell = self
    cell.height = height / 2
    if number & 2 != 0 { cell.south = south &+ cell.height }
    cell.width = width / 2
    if number & 1 != 0 {
      cell.west = west &+ UInt32(truncatingIfNeeded: cell.width)
      cell.width = width - cell.width
    }
    return cell
  }

  /// Metres from south to north, roughly.
  var metres: Float { Float(height) * 0.0093 }
}

/// The cells that the globe is divided into for circles of a size: rows of latitude, of which each has
/// as many cells as make them about square.
///
/// A cell is at least as high as the circles' radius, and no less than five kilometres. So the poles are
/// nothing special, and what is near a position is in a few cells.
struct CellRows {
  /// The exponent of two of the number of rows.
  private let level: Int

  /// - Parameter size: the exponent of two of the largest radius in metres.
  init(size: Int) { level = min(max(24 - size, 0), Self.finest) }

  private static let finest = 12

  var count: Int { 1 << level }
  private var shift: Int { 31 - level }

  /// The row that a latitude is in; those of the poles for what is beyond them.
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
        // Its side towards the equator is the longest.
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

  /// Where a column begins, by the longitude.
  private static func west(_ column: UInt64, _ columns: UInt64) -> UInt64 {
    ((column << 32) + columns - 1) / columns
  }

  /// The row and column of a position.
  func place(of position: BinaryAngles) -> (row: Int, column: UInt64) {
    let row = row(at: Int64(position.latitude))
    return (row, (UInt64(position.longitude) * columns(in: row)) >> 32)
  }
}
