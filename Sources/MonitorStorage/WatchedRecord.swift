package import Geofencing
import SQLite

/// What a condition needs to be watched again.
package enum WatchedRecord: Sendable {
  /// A circle without options and without a visit, to which nothing is happening: there may be millions.
  case circle(CircularGeographicCondition, PlainStatus, of: ConditionKey)

  case other(Condition, ConditionStatus, of: ConditionKey)

  package var key: ConditionKey {
    switch self {
    case .circle(_, _, let key), .other(_, _, let key): key
    }
  }
}

extension MonitorStore {
  /// What the conditions after a key need to be watched, in order and at most so many.
  package func watchedRecords(after: ConditionKey?, limit: Int) throws -> [WatchedRecord] {
    guard let (range, bounds) = Self.range(nil, nil, after) else { return [] }
    var records: [WatchedRecord] = []
    records.reserveCapacity(limit)
    var monitor: MonitorKey?
    _ = try connection.forEach(
      """
      SELECT \(StoredCondition.columns) FROM condition
      WHERE \(range) ORDER BY user, monitor, identifier LIMIT ?
      """, bounds + [.integer(Int64(limit))]
    ) { row in
      let key = try StoredCondition.key(row, after: monitor)
      monitor = key.monitor
      records.append(try watchedRecord(row, as: key))
      return true
    }
    return records
  }

  private func watchedRecord(
    _ row: borrowing Row, as key: ConditionKey
  ) throws -> WatchedRecord {
    do {
      if StoredCondition.isPlain(row), let circle = try StoredCondition.circle(row) {
        return .circle(circle, try StoredCondition.plainStatus(row), of: key)
      }
    } catch {
      throw UnreadableRecord(key: key)
    }
    let (condition, status) = try watched(row, as: key)
    return .other(condition, status, of: key)
  }

  /// The condition and the status of a row.
  func watched(
    _ row: borrowing Row, as key: ConditionKey
  ) throws -> (Condition, ConditionStatus) {
    do {
      let condition = try StoredCondition.condition(row) { try coordinates(of: key) }
      return (condition, try StoredCondition.status(row, of: key.identifier))
    } catch let error as SQLiteError where !error.isMismatch {
      throw error
    } catch {
      throw UnreadableRecord(key: key)
    }
  }

  func coordinates(of key: ConditionKey) throws -> String {
    let found = try connection.query(
      "SELECT coordinates FROM shape WHERE user = ? AND monitor = ? AND identifier = ?",
      StoredCondition.values(of: key)
    ) { try $0.text(0) }
    guard let coordinates = found.first else { throw StoredCondition.Unreadable() }
    return coordinates
  }
}
