import Geofencing
import MonitorStorage

/// A database in a directory of its own, and the parts that work on it.
struct OpenedState {
  let directory: StateDirectory
  let database: MonitorDatabase
  let log: EventLog
  let store: MonitorStore
  let reader: EventReader

  init() throws {
    directory = try StateDirectory()
    database = try directory.open()
    log = try EventLog(database)
    store = MonitorStore(database.connection)
    reader = EventReader(path: database.path)
  }
}

/// A suite whose tests work on one.
protocol StorageSuite {
  var opened: OpenedState { get }
}

extension StorageSuite {
  var directory: StateDirectory { opened.directory }
  var database: MonitorDatabase { opened.database }
  var log: EventLog { opened.log }
  var store: MonitorStore { opened.store }
  var reader: EventReader { opened.reader }
}

extension MonitorStore {
  /// Adds or replaces a condition; its last event begins anew.
  func put(
    _ condition: Condition, as key: ConditionKey, status: ConditionStatus, added: Timestamp
  ) throws {
    var one: (StoredForm, ConditionKey, ConditionStatus)? = (StoredForm(of: condition), key, status)
    try put(added: added) { one.take() }
  }
}
