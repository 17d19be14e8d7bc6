import ControlInterface
import LinuxSystem
import Varlink

extension ControlMethods {
  /// The shortest time between two answers of one call: receivers may tell more positions than a person can read.
  private static let nearestInterval = Duration.milliseconds(500)

  /// The conditions nearest to the present position.
  ///
  /// It uses the position that is known, and is no ``ReceiverNeed``: it doesn't keep the receiver awake.
  func nearest(
    _ parameters: Nearest.Parameters, _ call: VarlinkCall,
    _ replies: VarlinkReplies<Nearest.Reply>
  ) async throws -> Nearest.Reply {
    let limit = parameters.limit ?? Nearest.defaultLimit
    guard Nearest.limits.contains(limit) else {
      throw VarlinkError.invalidParameter(
        "limit",
        message: "limit \(limit) is out of range: give a number from \(Nearest.limits.lowerBound) "
          + "to \(Nearest.limits.upperBound)")
    }
    try check(monitor: parameters.monitor)
    let scope = Monitoring.NearestScope(
      user: try visibleUser(parameters.user, call), monitor: parameters.monitor)
    guard call.wantsMore else {
      return try await inTurn(of: call) { await monitoring.nearest(limit, in: scope) }
    }
    let replies = replies.whereOldOnesAreWorthless()
    while true {
      let revision = monitoring.revisions.latest
      try await replies.send(
        inTurn(of: call) { await monitoring.nearest(limit, in: scope) })
      try await clock.sleeping.sleep(for: Self.nearestInterval)
      try await monitoring.revisions.wait(after: revision)
    }
  }
}
