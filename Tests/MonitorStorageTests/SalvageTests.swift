import Foundation
import Geofencing
import Glibc
import SQLite
import TestSupport
import Testing

@testable import MonitorStorage

/// What is left of the conditions where a page of the database is damaged.
struct SalvageTests {
  private let directory: StateDirectory

  init() throws { directory = try StateDirectory() }

  /// A closed database with so many conditions and some thousand events.
  private func fill(_ count: Int) throws {
    let database = try directory.open()
    let store = MonitorStore(database.connection)
    let log = try EventLog(database)
    try database.connection.transaction {
      for number in 0..<count {
        try store.put(
          number % 5 == 0 ? square() : circle(100 + Double(number)), as: key("c\(number)"),
          status: satisfied, added: at(Double(number)))
      }
    }
    for _ in 0..<20 { try log.append((0..<100).map { transition(key("c\($0)")) }) }
    _ = try database.connection.query("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func square() throws -> Condition {
    let corners = [(0.0, 0.0), (0.01, 0), (0.01, 0.01), (0, 0.01), (0, 0)]
    let ring = try corners.map { try Coordinate(validLatitude: 47 + $0.0, longitude: 8 + $0.1) }
    return try Condition(shape: .polygon(PolygonalGeographicCondition(valid: [[ring]])))
  }

  /// The numbers of the pages of a table or an index that are no inner ones.
  private func leaves(of name: String) throws -> [Int] {
    try Connection(path: directory.database, mode: .readOnly).query(
      "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", [.text(name)]
    ) { row in Int(try row.integer(0)) }
  }

  private func records() throws -> (records: [StoredRecord], database: MonitorDatabase) {
    let database = try directory.open(at: 10)
    let store = MonitorStore(database.connection)
    let (records, _) = try store.records(
      user: nil, monitor: nil, after: nil, limit: 10_000, maximumBytes: .max)
    return (records, database)
  }

  private func conditions() throws -> [ConditionKey: Condition] {
    Dictionary(uniqueKeysWithValues: try records().records.map { ($0.key, $0.condition) })
  }

  /// SQLite itself reads a trigger only when something sets it off.
  @Test(arguments: [
    ("last_event_is_kept", "OLD.sequence = ", "OLE.sequence = "),
    ("explanation_goes_with_event", "FROM explanation", "FROM explanatiom"),
    ("last_event_is_replaced", "NEW.last_event", "NEW.last_evenu"),
    ("last_event_goes_with_record", "OLD.last_event IS", "OLD.last_eveot IS"),
    ("shape_goes_with_record", "user = OLD.user", "user = OLD.usev"),
    ("shape_is_replaced_by_circle", "NEW.coordinates", "NEW.coordinatez"),
  ])
  func `a damaged trigger costs no condition`(name: String, text: String, damaged: String) throws {
    try fill(10)
    let file = URL(filePath: directory.database)
    var bytes = try Data(contentsOf: file)
    let trigger = try #require(bytes.range(of: Data("CREATE TRIGGER \(name)".utf8)))
    let rest = trigger.upperBound..<bytes.endIndex
    let place = try #require(bytes.range(of: Data(text.utf8), in: rest))
    bytes.replaceSubrange(place, with: Data(damaged.utf8))
    try bytes.write(to: file)
    let (records, database) = try records()
    #expect(database.setAside?.problem.contains("a trigger is damaged") == true)
    #expect(records.count == 10)
  }

  @Test(arguments: ["event", "event_by_monitor", "event_by_user"])
  func `a page of the events costs no condition`(name: String) throws {
    try fill(200)
    let before = try records()
    #expect(before.database.setAside == nil && before.records.count == 200)
    let page = try #require(try leaves(of: name).dropFirst().first)
    withExtendedLifetime(before) {}
    try directory.damage(page: page)
    let (records, database) = try records()
    #expect(database.setAside != nil && database.savedConditions == 200)
    #expect(records.map(\.key) == before.records.map(\.key))
    #expect(records.map(\.condition) == before.records.map(\.condition))
    #expect(records.allSatisfy { $0.status.state == .satisfied && $0.lastEvent == nil })
    // How long ago that was known is lost, and the log begins anew.
    #expect(try EventLog(database).lastSequence == 0)
  }

  @Test(arguments: [true, false])
  func `a start that is cut off or fails while it saves them costs no condition`(
    isCutOff: Bool
  ) async throws {
    try fill(5_000)
    try directory.damage(page: try #require(try leaves(of: "event").dropFirst().first))
    // Who writes more to a file is killed, or refused.
    await #expect(processExitsWith: isCutOff ? .signal(SIGXFSZ) : .success) {
      [path = directory.path as String, isCutOff = isCutOff as Bool] in
      signal(SIGXFSZ, isCutOff ? SIG_DFL : SIG_IGN)
      var signals = sigset_t()
      sigaddset(&signals, SIGXFSZ)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = #expect(throws: StorageError.self) {
        try MonitorDatabase(directory: path, now: at(10))
      }
      #expect(error?.description.contains("the disk is full or failing") == true)
    }
    let names = try directory.files
    #expect(!names.contains { $0.contains(".damaged-") })
    let (records, database) = try records()
    #expect(database.setAside != nil && database.savedConditions == 5_000)
    #expect(records.count == 5_000)
  }

  @Test func `conditions for which there is no room are not given up`() throws {
    try fill(1_000)
    let other = try StateDirectory()
    let new = try other.open().connection
    try new.execute("PRAGMA max_page_count=1")
    let error = #expect(throws: SQLiteError.self) {
      try MonitorDatabase.salvage(from: directory.database, into: new)
    }
    let files = try other.files
    #expect(error?.isOfFullDisk == true && !files.isEmpty)
  }

  @Test func `who reads events, or is started to, begins with those of the new log`() throws {
    try fill(10)
    let mine = ConsumerKey(owner: 1000, monitor: "work", name: "logger")
    let ofAll = ConsumerKey(owner: 0, monitor: nil, name: "mqtt")
    let work = MonitorKey(user: 1000, name: "work")
    let configured = MonitorKey(user: 0, name: "work")
    let read: [ConsumerKey: EventReader.Filter] = [
      mine: EventReader.Filter(user: 1000, monitor: "work"), ofAll: EventReader.Filter(user: nil),
    ]
    do {
      let database = try directory.open()
      let log = try EventLog(database)
      for (key, filter) in read {
        try log.add(
          ConsumerPlace(
            key: key, filter: filter, cursor: 1_900, lagged: Lagged(first: 3, last: 9, events: 7)))
      }
      let store = MonitorStore(database.connection)
      try store.put(StoredLaunch(unit: "reader.service", since: 1_900), of: work)
      try store.put(StoredLaunch(unit: nil, since: 1_900), of: configured)
      _ = try database.connection.query("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try directory.damage(page: try #require(try leaves(of: "event").dropFirst().first))
    let database = try directory.open(at: 10)
    #expect(database.setAside != nil)
    #expect(
      try MonitorStore(database.connection).launches() == [
        work: StoredLaunch(unit: "reader.service", since: 0),
        configured: StoredLaunch(unit: nil, since: 0),
      ])
    let places = try EventLog(database).namedConsumers(of: nil)
    #expect(Set(places) == Set(read.map { ConsumerPlace(key: $0, filter: $1, cursor: 0) }))
  }

  @Test func `to say how many events there are none between the ends is read`() async throws {
    try fill(1)
    let pages = try leaves(of: "event")
    try directory.damage(page: try #require(pages.dropFirst(pages.count / 2).first))
    #expect(try await EventReader(path: directory.database).count(after: 0) == 2_000)
  }

  @Test func `a page of the conditions costs those on it`() throws {
    try fill(1_000)
    let before = try conditions()
    let pages = try leaves(of: "condition")
    try directory.damage(page: try #require(pages.dropFirst(pages.count / 2).first))
    let (records, database) = try records()
    #expect(database.savedConditions == records.count)
    #expect(records.count > 900 && records.count < 1_000)
    #expect(Set(records.map(\.key)).count == records.count)
    #expect(records.allSatisfy { before[$0.key] == $0.condition })
  }

  @Test func `a page of the shapes costs those on it, and what makes no sense is left behind`()
    throws
  {
    try fill(1_000)
    let before = try conditions()
    try directory.open().connection.execute(
      """
      UPDATE condition SET state = 99 WHERE identifier = 'c1';
      PRAGMA ignore_check_constraints = ON;
      UPDATE condition SET coordinates = '' WHERE identifier = 'c2'
      """)
    let page = try #require(try leaves(of: "shape").dropFirst().first)
    try directory.damage(page: page)
    let (records, _) = try records()
    #expect(records.count > 900 && records.count < 998)
    #expect(!records.contains { ["c1", "c2"].contains($0.key.identifier) })
    #expect(records.allSatisfy { before[$0.key] == $0.condition })
  }

  /// It stands where nobody looks for it, and so may others beside it.
  @Test(arguments: ["x", "#"])
  func `a damaged letter of a name costs that condition`(letter: String) throws {
    try fill(200)
    let before = try conditions()
    let page = try #require(try leaves(of: "condition").dropFirst().first)
    let file = URL(filePath: directory.database)
    var bytes = try Data(contentsOf: file)
    let name = try #require(
      bytes.range(of: Data("defaultc".utf8), in: (page - 1) * 4096..<page * 4096))
    bytes.replaceSubrange(name.upperBound - 1..<name.upperBound, with: Data(letter.utf8))
    try bytes.write(to: file)
    let (records, database) = try records()
    #expect(database.setAside?.problem.contains("order") == true)
    #expect(records.count { before[$0.key] == $0.condition } == 199)
  }

  /// No table could be read where one entry of the schema can't.
  @Test(arguments: [
    ("CREATE TRIGGER", "CREATE TRICGER"), ("CREATE TABLE consumer", "CREATE TABLF consumer"),
    ("CREATE TABLE monitor", "CREATE TABLF monitor"),
  ])
  func `damaged letters of the schema cost no condition`(text: String, damaged: String) throws {
    try fill(200)
    let file = URL(filePath: directory.database)
    var bytes = try Data(contentsOf: file)
    // What a migration has dropped is there still, too.
    while let range = bytes.range(of: Data(text.utf8)) {
      bytes.replaceSubrange(range, with: Data(damaged.utf8))
    }
    try bytes.write(to: file)
    let (records, database) = try records()
    #expect(database.setAside != nil && records.count == 200)
  }

  /// Its files get their names one after the other.
  @Test(arguments: [false, true])
  func `a start that is cut off between two names is ended by the next`(isMoved: Bool) throws {
    try fill(200)
    try directory.damage(page: try #require(try leaves(of: "event").dropFirst().first))
    let files = FileManager.default
    let kept = directory.path + "/kept"
    try files.copyItem(atPath: directory.database, toPath: kept)
    _ = try directory.open(at: 10)
    try files.moveItem(atPath: directory.database, toPath: directory.database + ".saved")
    if !isMoved { try files.moveItem(atPath: kept, toPath: directory.database) }
    try Data("left".utf8).write(to: URL(filePath: directory.database + "-wal"))
    let (records, database) = try records()
    #expect(records.count == 200 && database.setAside != nil && database.savedConditions == 200)
    let names = try directory.files
    #expect(names.contains { $0.hasSuffix("-wal") && $0.contains(".damaged-") })
    #expect(
      !names.contains { $0.hasSuffix(".saved") } && names.contains { $0.contains(".damaged-") })
  }
}
