import CommandLineParsing
import ControlInterface
import Geofencing
import Synchronization
import Varlink

/// The changes that clients are handing over in several parts.
///
/// They are in memory only, limited in size, and end with their connection.
final class OpenChanges: Sendable {
  /// How many changes one user may have under way.
  private static let maximumPerUser = 8

  /// How long a change waits for its next part.
  ///
  /// That includes the time to read and check the part: others may be in front of it, and intricate polygons take half
  /// a minute each.
  static let patience = Duration.seconds(900)

  private struct Entry {
    var change: StagedChange
    let caller: UInt32
    let connection: ObjectIdentifier

    /// When its last part came, as uptime.
    var touched: Duration
  }

  /// A connection keeps one: when the connection goes, its changes end.
  private final class ConnectionEnd: Sendable {
    private let changes: OpenChanges

    init(_ changes: OpenChanges) {
      self.changes = changes
    }

    deinit { changes.end(ObjectIdentifier(self)) }
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// How many changes are under way.
  var count: Int { entries.withLock { $0.count } }

  /// Keeps a part until the next one comes.
  ///
  /// - Parameters:
  ///   - token: which change it belongs to; nil for the first part of one.
  ///   - limit: how much one user may have under way.
  /// - Returns: which change it is.
  /// - Throws: ``ControlError``; then the change is given up.
  func stage(
    _ part: StagedChange, of token: String?, by call: VarlinkCall, limit: Holding,
    at now: Duration
  ) throws -> String {
    var entry = try takeEntry(of: token, for: part.monitor, by: call, at: now)
    try entry.change.append(part)
    let caller = call.user
    entry.touched = now
    let token = token ?? String(UInt64.random(in: .min ... .max), radix: 16)
    try entries.withLock { entries in
      let others = entries.values.filter { $0.caller == caller }
      guard others.count < Self.maximumPerUser else {
        throw ControlError(
          .quotaExceeded, "user \(caller) has \(others.count) changes under way; finish one first")
      }
      let sum = others.reduce(entry.change.size) { $0 + $1.change.size }
      // Removals have a limit of their own: there can't be more than conditions, and each makes room for another.
      let removals = others.reduce(entry.change.removals.count) { $0 + $1.change.removals.count }
      guard sum.conditions <= limit.conditions, sum.vertices <= limit.vertices,
        removals <= limit.conditions
      else {
        throw ControlError(
          .quotaExceeded,
          "the changes that user \(caller) has under way add \(sum.conditions) conditions with "
            + "\(sum.vertices) positions and remove \(removals); MaximumConditionsPerUser= allows "
            + "\(limit.conditions) of each, MaximumVerticesPerUser= \(limit.vertices)")
      }
      entries[token] = entry
    }
    return token
  }

  /// Takes out the parts of a change that were handed over, when its last part has come.
  ///
  /// - Throws: ``ControlError/Name/noSuchChange``.
  func take(
    _ token: String?, for monitor: MonitorKey, by call: VarlinkCall, at now: Duration
  ) throws -> StagedChange {
    try takeEntry(of: token, for: monitor, by: call, at: now).change
  }

  /// Forgets the change that a call is a part of, because the part was refused.
  func giveUp(by call: VarlinkCall) {
    end(ObjectIdentifier(call.connection.value { ConnectionEnd(self) }))
  }

  /// Gives up the changes that have waited too long for their next part.
  func expire(at now: Duration) {
    entries.withLock { entries in
      entries = entries.filter { now - $0.value.touched <= Self.patience }
    }
  }

  /// Takes out the entry of a change, or makes one.
  private func takeEntry(
    of token: String?, for monitor: MonitorKey, by call: VarlinkCall, at now: Duration
  ) throws -> Entry {
    let connection = ObjectIdentifier(call.connection.value { ConnectionEnd(self) })
    expire(at: now)
    guard let token else {
      end(connection)
      return Entry(
        change: StagedChange(of: monitor), caller: call.user, connection: connection,
        touched: now)
    }
    return try entries.withLock { entries in
      guard let entry = entries[token], entry.connection == connection,
        entry.change.monitor == monitor
      else {
        throw ControlError(
          .noSuchChange,
          "there is no change \(Identifier.quoted(token)) of monitor '\(monitor.name)' on this "
            + "connection, or no part came for \(Self.patience.timeSpan): begin again")
      }
      entries[token] = nil
      return entry
    }
  }

  private func end(_ connection: ObjectIdentifier) {
    entries.withLock { entries in
      entries = entries.filter { $0.value.connection != connection }
    }
  }
}
