import Geofencing
import SQLite

/// The columns of a record in the order in which they are read, and values for them.
///
/// What they mean stands beside the table, in `ColumnsMigration`, and of what came later in `Schema`.
enum StoredCondition {
  private static let keyColumns = "user, monitor, identifier"
  private static let statusColumns = """
    state, known_state, accuracy_limited, watched_since, visit_began, visit, gap_began
    """
  private static let conditionColumns = """
    latitude, longitude, radius, coordinates, width, minimum_altitude, maximum_altitude,
    altitude_reference, enter_after, exit_after, confidence, expires
    """
  private static let progressColumn = "progress"

  /// The columns that ``key(_:after:)``, ``status(_:of:)`` and ``condition(_:coordinates:)`` read.
  static let columns = "\(keyColumns), \(statusColumns), \(conditionColumns), \(progressColumn)"

  /// The first column behind those.
  static let columnsEnd = columns.count { $0 == "," } + 1

  /// The statement that adds a record or replaces it; its values are those of key, status,
  /// condition and progress, and the time at which it was added.
  static let put = """
    INSERT INTO condition (\(columns), added) VALUES (\(parameters(columnsEnd + 1)))
    ON CONFLICT (\(keyColumns)) DO UPDATE SET last_event = NULL, added = excluded.added,
      \(assignments(statusColumns) { "excluded.\($0)" }),
      \(assignments(conditionColumns) { "excluded.\($0)" }),
      \(assignments(progressColumn) { "excluded.\($0)" })
    """

  /// The statement that keeps a status; its values are those of the status, the progress and the key, and
  /// the number of the last event, where that has changed.
  static let update = """
    UPDATE condition SET \(assignments(statusColumns) { _ in "?" }),
      \(assignments(progressColumn) { _ in "?" }), last_event = coalesce(?12, last_event)
    WHERE user = ?9 AND monitor = ?10 AND identifier = ?11
    """

  /// The statement that keeps another condition of a record, of which all else stays; its values are those of
  /// the condition and of the key.
  static let adjust = """
    UPDATE condition SET \(assignments(conditionColumns) { _ in "?" })
    WHERE user = ? AND monitor = ? AND identifier = ?
    """

  private static func parameters(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
  }

  private static func assignments(_ columns: String, _ value: (Substring) -> String) -> String {
    columns.split { $0 == "," || $0.isWhitespace }.map { "\($0) = \(value($0))" }
      .joined(separator: ", ")
  }

  // MARK: Keys

  static func values(of key: ConditionKey) -> [SQLiteValue] {
    var values: [SQLiteValue] = []
    append(key, to: &values)
    return values
  }

  static func append(_ key: ConditionKey, to values: inout [SQLiteValue]) {
    values.append(.integer(Int64(key.monitor.user)))
    values.append(.text(key.monitor.name))
    values.append(.text(key.identifier))
  }

  /// Reads the key of a row.
  ///
  /// - Parameter monitor: the monitor of the row before, which is most often the same one.
  /// - Throws: ``UnreadableRecord`` also for what can't be a key. Its own key isn't the row's then: whoever asks for
  ///   the rows after it gets the same row again.
  static func key(_ row: borrowing Row, after monitor: MonitorKey? = nil) throws -> ConditionKey {
    let user = row.user(0)
    let identifier = (try? row.text(2)) ?? ""
    if let monitor, monitor.user == user, row.holds(monitor.name, in: 1),
      Identifier.isValid(identifier)
    {
      return ConditionKey(monitor: monitor, identifier: identifier)
    }
    let key = ConditionKey(
      monitor: MonitorKey(user: user, name: (try? row.text(1)) ?? ""), identifier: identifier)
    guard row[0].integer == Int64(user), Identifier.isValid(key.monitor.name),
      Identifier.isValid(identifier)
    else {
      throw UnreadableRecord(key: key, isKeyDamaged: true)
    }
    return key
  }

  // MARK: Statuses

  static func append(
    _ status: ConditionStatus, of identifier: String, to values: inout [SQLiteValue]
  ) {
    let visit = status.visit
    let isNamedAsUsual = visit.map { $0 == Visit(of: identifier, began: $0.began) } ?? true
    values.append(.integer(code(status.state)))
    values.append(.integer(status.knownState.map(code)))
    values.append(.integer(status.isAccuracyLimited ? 1 : 0))
    values.append(time(status.watchedSince))
    values.append(time(visit?.began))
    values.append(.text(isNamedAsUsual ? nil : visit?.id))
    values.append(time(status.beginningOfDoubt))
  }

  /// Adds what is happening to a condition.
  static func append(progressOf status: ConditionStatus, to values: inout [SQLiteValue]) {
    values.append(status.progress?.words.map { .blob(words: $0) } ?? .null)
  }

  /// Reads the status of a row without a visit, to which nothing is happening.
  static func plainStatus(_ row: borrowing Row) throws -> PlainStatus {
    PlainStatus(
      state: try state(row.integer(3)), knownState: try row.optionalInteger(4).map(state),
      watchedSince: try time(row, 6), isAccuracyLimited: try row.integer(5) != 0,
      gapBegan: try time(row, 9))
  }

  /// Reads the status of a row; what is happening counts for nothing where it can't be read.
  static func status(_ row: borrowing Row, of identifier: String) throws -> ConditionStatus {
    var visit: Visit?
    if let began = try time(row, 7) {
      visit = row[8].text.map { Visit(id: $0, began: began) } ?? Visit(of: identifier, began: began)
    }
    return ConditionStatus(
      try plainStatus(row), visit: visit,
      progress: row[columnsEnd - 1].words.flatMap { ConditionProgress(words: $0) })
  }

  private static let states: [ConditionState] = [.unknown, .satisfied, .unsatisfied, .unmonitored]

  private static func code(_ state: ConditionState) -> Int64 {
    switch state {
    case .unknown: 0
    case .satisfied: 1
    case .unsatisfied: 2
    case .unmonitored: 3
    }
  }

  private static func state(_ code: Int64) throws -> ConditionState {
    guard let index = Int(exactly: code), states.indices.contains(index) else {
      throw Unreadable()
    }
    return states[index]
  }

  // MARK: Conditions

  /// A value that has no meaning.
  struct Unreadable: Error {}

  /// Adds a condition, without its coordinates.
  static func append(_ condition: Condition, to values: inout [SQLiteValue]) {
    var (circle, width) = (CircularGeographicCondition?.none, Double?.none)
    switch condition.shape {
    case .circle(let shape): circle = shape
    case .corridor(let shape): width = shape.width
    case .polygon: break
    }
    let altitude = condition.altitude
    for number in [circle?.center.latitude, circle?.center.longitude, circle?.radius] {
      values.append(.real(number))
    }
    if case .circle = condition.shape { values.append(.null) } else { values.append("") }
    for number in [width, altitude?.minimum, altitude?.maximum] { values.append(.real(number)) }
    values.append(.text(altitude?.reference.rawValue))
    values.append(.integer(condition.enterAfter?.wholeNanoseconds))
    values.append(.integer(condition.exitAfter?.wholeNanoseconds))
    values.append(.real(condition.confidence))
    values.append(time(condition.expires))
  }

  /// Whether a row is that of a circle without options, without a visit, and to which nothing is happening.
  static func isPlain(_ row: borrowing Row) -> Bool {
    row.areNull(13...columnsEnd - 1) && row.areNull(7...8)
  }

  /// Reads the circle of a row; nil where there is none.
  static func circle(_ row: borrowing Row) throws -> CircularGeographicCondition? {
    guard let radius = try row.optionalReal(12) else { return nil }
    let center = try Coordinate(validLatitude: row.real(10), longitude: row.real(11))
    return try CircularGeographicCondition(center: center, radius: radius)
  }

  /// Reads the condition of a row.
  ///
  /// - Parameter coordinates: those of what is no circle.
  static func condition(
    _ row: borrowing Row, coordinates: () throws -> String
  ) throws -> Condition {
    let shape: Condition.Shape
    if let circle = try circle(row) {
      shape = .circle(circle)
    } else if let width = try row.optionalReal(14) {
      let lines = try ShapeCoordinates.lines(coordinates())
      shape = .corridor(try CorridorGeographicCondition(stored: lines, width: width))
    } else {
      shape = .polygon(
        try PolygonalGeographicCondition(valid: ShapeCoordinates.polygons(coordinates())))
    }
    return try Condition(
      shape: shape, altitude: altitude(row),
      enterAfter: row.optionalInteger(18).map { .nanoseconds($0) },
      exitAfter: row.optionalInteger(19).map { .nanoseconds($0) },
      confidence: row.optionalReal(20), expires: time(row, 21))
  }

  private static func altitude(_ row: borrowing Row) throws -> AltitudeBand? {
    let (minimum, maximum) = (try row.optionalReal(15), try row.optionalReal(16))
    guard minimum != nil || maximum != nil else { return nil }
    return try AltitudeBand(minimum: minimum, maximum: maximum, referenceName: row[17].text)
  }

  private static func time(_ time: Timestamp?) -> SQLiteValue { .integer(time?.nanoseconds) }

  private static func time(_ row: borrowing Row, _ column: Int) throws -> Timestamp? {
    try row.optionalInteger(column).map { Timestamp(nanoseconds: $0) }
  }
}
