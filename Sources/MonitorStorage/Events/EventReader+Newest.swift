package import Geofencing
import SQLite

/// The newest events of many conditions.
extension EventReader {
  /// The numbers of conditions' newest events.
  package struct NewestNumbers: Sendable {
    /// Those of each condition that has any, newest first.
    package fileprivate(set) var numbers: [String: [Int64]] = [:]

    /// The last condition of which they are known; nil where that is each.
    package fileprivate(set) var last: String?

    package init() {}

    /// Forgets all conditions but the first ones, in the order of their names.
    fileprivate mutating func keep(first count: Int) {
      let kept = numbers.keys.sorted().prefix(count)
      guard kept.count < numbers.count, let last = kept.last else { return }
      self.last = last
      numbers = numbers.filter { $0.key <= last }
    }
  }

  /// The numbers of the newest events of the conditions in a monitor from one on, at most so many of each.
  ///
  /// - Parameter limit: of how many conditions, in their order; it bounds the memory. The monitor's events are
  ///   looked through once, however many that are.
  package func newest(
    _ count: Int, ofEachIn monitor: MonitorKey, from first: String, atMost limit: Int
  ) async throws -> NewestNumbers {
    var newest = NewestNumbers()
    let filter = Filter(user: monitor.user, monitor: monitor.name)
    // If only one condition is asked for, the others needn't be read.
    let (comparison, most) = limit == 1 ? ("=", Int64(count)) : (">=", -1)
    _ = try await newestFirst(filter) { after, through in
      try open().query(
        """
        SELECT identifier, sequence FROM event WHERE sequence > ? AND sequence <= ?\(filter.sql)
        AND identifier \(comparison) ? ORDER BY sequence DESC LIMIT ?
        """,
        [.integer(after), .integer(through)] + filter.values + [.text(first), .integer(most)]
      ) { row in
        guard let identifier = row[0].text else { return }
        if let last = newest.last, identifier > last { return }
        guard newest.numbers[identifier, default: []].count < count else { return }
        newest.numbers[identifier, default: []].append(try row.integer(1))
        if newest.numbers.count > 2 * limit { newest.keep(first: limit) }
      }
      // If others are asked for too, their events may be further back.
      return limit == 1 && newest.numbers[first]?.count == count ? newest : nil
    }
    newest.keep(first: limit)
    return newest
  }

  /// The events of some numbers, oldest first, as far as they are there and can be decoded.
  package func events(numbered numbers: [Int64]) throws -> [Event] {
    try open().query(
      """
      SELECT body FROM event WHERE sequence IN (SELECT value FROM json_each(?)) ORDER BY sequence
      """, [.text("\(numbers)")]
    ) { row in LoggedEvent(row, 0)?.event }.compactMap(\.self)
  }
}
