/// A piece of the globe between two latitudes and two longitudes, in ``BinaryAngles``.
struct Cell: BitwiseCopyable {
  private(set) var south: UInt32
  private(set) var height: UInt32
  private(set) var west: UInt32
  private(set) var width: UInt64

  /// The number of the quarter that a position lies in, 0 to 3: southwest, southeast, northwest, northeast.
  func quarter(of position: BinaryAngles) -> UInt32 {
    (position.latitude &- south >= height / 2 ? 2 : 0)
      + (UInt64(position.longitude &- west) >= width / 2 ? 1 : 0)
  }

  /// The quarter with that number.
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

  /// About how many metres it measures from south to north.
  var metres: Float { Float(height) * 0.0093 }
}
