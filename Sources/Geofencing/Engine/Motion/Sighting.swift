/// A position at some time.
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

  /// A value to read an archived one into.
  static var none: Sighting { Sighting(.nowhere, at: .never) }

  mutating func exchange(with archive: inout NumberArchive) {
    archive.exchange(&timestamp)
    archive.exchange(&coordinate)
  }
}
