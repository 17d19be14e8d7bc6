import Synchronization

/// Counts open connections, to enforce the limits.
package final class ConnectionCounter: Sendable {
  package enum Admission: Sendable, Equatable {
    /// The connection is served.
    case served

    /// The connection isn't served; the caller is told why, and gets time to read it.
    case refused(String)

    /// The caller is told why, and the connection is closed at once: too many are being refused already.
    case dismissed(String)
  }

  private struct State {
    var servedByUser: [UInt32: Int] = [:]
    /// The connections of all users other than root.
    var servedToOthers = 0
    var refused = 0
  }

  private static let maximumRefusals = 16
  private let limits: VarlinkLimits
  private let state = Mutex(State())

  package init(_ limits: VarlinkLimits) {
    self.limits = limits
  }

  package func enter(uid: UInt32) -> Admission {
    state.withLock { state in
      let ofUser = state.servedByUser[uid, default: 0]
      let sentence: String
      // Connections of root are counted separately, so that nobody can keep root out.
      let served = uid == 0 ? ofUser : state.servedToOthers
      if served >= limits.maximumConnections {
        sentence = "\(served) connections are open already; try again later"
      } else if uid != 0, ofUser >= limits.maximumConnectionsPerUser {
        sentence = "user \(uid) has \(ofUser) connections open already; close one first"
      } else {
        state.servedByUser[uid] = ofUser + 1
        if uid != 0 { state.servedToOthers += 1 }
        return .served
      }
      guard state.refused < Self.maximumRefusals else { return .dismissed(sentence) }
      state.refused += 1
      return .refused(sentence)
    }
  }

  package func leave(uid: UInt32, _ admission: Admission) {
    state.withLock { state in
      switch admission {
      case .served:
        if uid != 0 { state.servedToOthers -= 1 }
        let ofUser = state.servedByUser[uid, default: 1] - 1
        state.servedByUser[uid] = ofUser == 0 ? nil : ofUser
      case .refused: state.refused -= 1
      case .dismissed: break
      }
    }
  }
}
