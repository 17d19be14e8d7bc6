/// All positions within some units of latitude and longitude of a position.
struct CellWindow: BitwiseCopyable {
  let center: BinaryAngles

  /// In units, to either side; with a width of 2³¹ every longitude is in it.
  let height: Int64
  let width: UInt64

  var south: Int64 { Int64(center.latitude) - height }
  var north: Int64 { Int64(center.latitude) + height }

  /// Whether a cell has a position in common with the window.
  @inline(__always)
  func touches(_ cell: Cell) -> Bool {
    guard Int64(cell.south) <= north, Int64(cell.south) + Int64(cell.height) > south else {
      return false
    }
    // How many units the cell begins to the east of the centre.
    let begin = UInt64(cell.west &- center.longitude)
    return begin <= width || begin + cell.width > (1 << 32) - width
  }

  /// Which cells of a row the window touches: the first one, how many to the east from there, and how many the row
  /// has.
  @inline(__always)
  func columns(of rows: CellRows, in row: Int) -> (first: UInt64, count: UInt64, inRow: UInt64) {
    let inRow = rows.columns(in: row)
    let west = UInt64(center.longitude &- UInt32(truncatingIfNeeded: width))
    let first = (west * inRow) >> 32
    let count = ((west + 2 * width) * inRow) >> 32 - first + 1
    return count >= inRow ? (0, inRow, inRow) : (first, count, inRow)
  }
}
