import ControlInterface
import Geofencing
import LinuxSystem

extension Monitoring {
  /// Whose conditions somebody asks about.
  struct NearestScope: Sendable, Hashable {
    /// The owner; nil is everybody.
    let user: UInt32?

    /// The monitor; nil is all of the owner's.
    let monitor: String?

    func includes(_ key: MonitorKey) -> Bool {
      user ?? key.user == key.user && monitor ?? key.name == key.name
    }
  }

  /// What was found for one scope, and at which number of ``revisions``.
  struct FoundNearest: Sendable {
    let revision: Int64
    let conditions: [Nearest.Nearby]
    let total: Int
  }

  /// How many scopes' answers are kept.
  private static let keptScopes = 64

  /// The conditions nearest to the last position.
  ///
  /// Between two changes they are searched only once for each scope.
  func nearest(_ limit: Int, in scope: NearestScope) -> Nearest.Reply {
    let found = nearest(in: scope)
    return Nearest.Reply(
      location: engine.lastFix.map(ControlLocation.init), lastFixAge: lastFixAge?.inSeconds,
      conditions: Array(found.conditions.prefix(limit)), total: found.total)
  }

  private func nearest(in scope: NearestScope) -> FoundNearest {
    let revision = revisions.latest
    if let found = foundNearest[scope], found.revision == revision { return found }
    // Nothing is kept for monitors that don't exist: anybody could ask for ever new names.
    guard monitors.keys.contains(where: scope.includes) else {
      return FoundNearest(revision: revision, conditions: [], total: 0)
    }
    let (conditions, total) = engine.nearest(
      Nearest.limits.upperBound, where: scope.includes)
    let found = FoundNearest(
      revision: revision, conditions: conditions.map { Nearest.Nearby($0.rounded) }, total: total)
    foundNearest = foundNearest.filter { $0.value.revision == revision }
    if foundNearest.count < Self.keptScopes { foundNearest[scope] = found }
    return found
  }
}
