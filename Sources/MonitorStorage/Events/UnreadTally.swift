import Geofencing

/// Counts, of events that are to be removed, those that each consumer hasn't done with.
///
/// The events are counted in their order. Each costs a look at the three groups of consumers that it
/// may belong to, however many consumers there are.
struct UnreadTally {
  /// The consumers that read the same events.
  private struct Readers {
    /// Those for which all events so far are read ones, those furthest behind at the end.
    var upToDate: [ConsumerPlace]
    /// The others, with the first event they miss and how many were before it.
    var behind: [(place: ConsumerPlace, first: Int64, before: Int)] = []
    var count = 0
    var last: Int64 = 0

    mutating func take(_ sequence: Int64) {
      while let place = upToDate.last, place.cursor < sequence {
        upToDate.removeLast()
        behind.append((place, sequence, count))
      }
      count += 1
      last = sequence
    }
  }

  private var readers: [EventReader.Filter: Readers]

  /// The place of whoever is furthest behind; nil without consumers.
  let lowestCursor: Int64?

  init(_ places: [ConsumerPlace]) {
    lowestCursor = places.map(\.cursor).min()
    readers = Dictionary(grouping: places, by: \.filter).mapValues { places in
      Readers(upToDate: places.sorted { $0.cursor > $1.cursor })
    }
  }

  /// Counts an event, which is newer than those before.
  mutating func take(_ sequence: Int64, user: UInt32, monitor: String) {
    readers[EventReader.Filter()]?.take(sequence)
    readers[EventReader.Filter(user: user)]?.take(sequence)
    readers[EventReader.Filter(user: user, monitor: monitor)]?.take(sequence)
  }

  /// The consumers that haven't read all of what was counted, with the rest.
  var unread: [(place: ConsumerPlace, lagged: Lagged)] {
    readers.values.flatMap { readers in
      readers.behind.map { place, first, before in
        (place, Lagged(first: first, last: readers.last, events: readers.count - before))
      }
    }
  }
}
