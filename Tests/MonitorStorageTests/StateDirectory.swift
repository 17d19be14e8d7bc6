import Foundation
import Geofencing
import MonitorStorage
import TestSupport

/// A directory for one test's database, removed with its owner.
final class StateDirectory: Sendable {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path }
  var database: String { path + "/geofenced.db" }

  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// A database of some size, closed.
  func fill() throws -> String {
    let database = try open()
    let log = try EventLog(database)
    for second in 0..<300 {
      try log.append([transition(second: Double(second))])
    }
    return log.id
  }

  func open(at second: Double = 0) throws -> MonitorDatabase {
    try MonitorDatabase(directory: path, now: at(second))
  }

  /// Does something to the file behind everybody's back.
  func damage(_ body: (FileHandle) throws -> Void) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: database))
    try body(file)
    try file.close()
  }

  /// Overwrites a page.
  func damage(page: Int) throws {
    try damage { file in
      try file.seek(toOffset: UInt64(page - 1) * 4096)
      try file.write(contentsOf: Data(repeating: 0x5a, count: 4096))
    }
  }

  func bytes(_ name: String = "geofenced.db") throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
  }
}

let home = key("home")

func key(_ identifier: String, monitor: String = "default", user: UInt32 = 1000) -> ConditionKey {
  ConditionKey(monitor: MonitorKey(user: user, name: monitor), identifier: identifier)
}

func circle(_ radius: Double = 100) throws -> Condition {
  try Shapes.circle(latitude: 47, longitude: 8, radius: radius)
}

func transition(
  _ key: ConditionKey = home, _ kind: EventKind = .entered,
  _ state: ConditionState = .satisfied, second: Double = 0
) -> Transition {
  Transition(key: key, kind: kind, state: state, previousState: .unknown, date: at(second))
}

let unknown = ConditionStatus(assuming: .unknown, watchedSince: nil)
let satisfied = ConditionStatus(assuming: .satisfied, watchedSince: nil)

extension EventLog {
  /// Appends transitions without explanations.
  @discardableResult
  func append(
    _ transitions: [Transition] = [transition()], statuses: [ConditionKey: ConditionStatus] = [:],
    lastFix: Location? = nil, recorded: Timestamp = at(0),
    with change: (MonitorStore) throws -> Void = { _ in }
  ) throws -> [Event] {
    try append(
      transitions.map { Decision($0) }, status: { statuses[$0] }, lastFix: lastFix,
      recorded: recorded, with: change
    ).map(\.event)
  }
}
