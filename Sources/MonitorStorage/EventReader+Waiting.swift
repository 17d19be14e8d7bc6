/// What waits for consumers.
extension EventReader {
  /// Where somebody reads: what, and after which event.
  package struct Place: Sendable, Hashable {
    let filter: Filter
    let cursor: Int64

    package init(_ filter: Filter, after cursor: Int64) {
      self.filter = filter
      self.cursor = cursor
    }
  }

  /// How many events wait at each of some places.
  ///
  /// Those who read the same events cost no more together than the one that is furthest behind.
  package func waiting(at places: Set<Place>) throws -> [Place: Int] {
    var waiting: [Place: Int] = [:]
    for (filter, places) in Dictionary(grouping: places, by: \.filter) {
      for (cursor, count) in try counts(after: Set(places.map(\.cursor)), matching: filter) {
        waiting[Place(filter, after: cursor)] = count
      }
    }
    return waiting
  }
}
