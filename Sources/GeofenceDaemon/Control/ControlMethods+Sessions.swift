import ControlInterface
import Geofencing
import Varlink

/// The methods about background activity sessions.
extension ControlMethods {
  func session(
    _ parameters: SessionName, _ call: VarlinkCall, _ replies: VarlinkReplies<Session.Reply>
  ) async throws -> Session.Reply {
    // Before anything is begun: only a call that stays open can hold a session.
    try call.requireMore()
    try await sessions.hold(key(parameters, call)) { try await replies.send($0) }
  }

  func invalidateSession(
    _ parameters: InvalidateSession.Parameters, _ call: VarlinkCall
  ) async throws -> InvalidateSession.Reply {
    let name = SessionName(user: parameters.user, name: parameters.name)
    return InvalidateSession.Reply(
      holders: try sessions.invalidate(
        key(name, call), unlessHeld: parameters.unlessHeld ?? false))
  }

  private func key(_ session: SessionName, _ call: VarlinkCall) throws -> SessionRegistry.Key {
    guard Identifier.isValid(session.name) else {
      throw VarlinkError.invalidParameter(
        "name",
        message: "the name of a session is \(Identifier.rule)")
    }
    return SessionRegistry.Key(user: try owner(session.user, call), name: session.name)
  }
}
