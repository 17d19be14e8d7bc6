/// Where something was at a time.
struct Sighting: BitwiseCopyable, Sendable {
  var timestamp: Timestamp
  var coordinate: Coordinate

  init(_ fix: borrowing Location) {
    timestamp = fix.timestamp
    coordinate = fix.coordinate
  }

  /// One to read the fields of another into.
  init(at coordinate: Coordinate) {
    timestamp = Timestamp(nanoseconds: 0)
    self.coordinate = coordinate
  }

  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&timestamp)
    archive.exchange(&coordinate)
  }
}
