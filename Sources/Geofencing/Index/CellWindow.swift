/// All positions up to some units north and south, and east and west, of one.
struct CellWindow: BitwiseCopyable {
  let center: BinaryAngles

  /// Units to either side; 2³¹ to the east and west is everywhere.
  let height: Int64
  let width: UInt64

  var south: Int64 { Int64(center.latitude) - height }
  var north: Int64 { Int64(center.latitude) + height }

  /// Whether a cell has a position in common with it.
  @inline(__always)
  func touches(_ cell: Cell) -> Bool {
    guard Int64(cell.south) <= north, Int64(cell.south) + Int64(cell.height) > south else {
      return false
    }
    // Units to the east from the centre to where the cell begins.
    let begin = UInt64(cell.west &- center.longitude)
    return begin <= width || begin + cell.width > (1 << 32) - width
  }

  /// Which cells of a row it touches: from the first so many to the east, and how many the row has.
  @inline(__always)
  func columns(of rows: CellRows, in row: Int) -> (first: UInt64, count: UInt64, inRow: UInt64) {
    let inRow = rows.columns(in: row)
    let west = UInt64(center.longitude &- UInt32(truncatingIfNeeded: width))
    let first = (west * inRow) >> 32
    let count = ((west + 2 * width) * inRow) >> 32 - first + 1
    return count >= inRow ? (0, inRow, inRow) : (first, count, inRow)
  }
}
