/// Where something was at a time.
struct Sighting: BitwiseCopyable, Sendable {
  var timestamp: Timestamp
  var coordinate: Coordinate

  init(_ fix: borrowing Location) {
    timestamp = fix.timestamp
    coordinate = fix.coordinate
  }

  init(_ coordinate: Coordinate, at timestamp: Timestamp) {
    self.timestamp = timestamp
    self.coordinate = coordinate
  }

  /// One to read the fields of another into.
  static var none: Sighting { Sighting(.nowhere, at: .never) }

  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&timestamp)
    archive.exchange(&coordinate)
  }
}
