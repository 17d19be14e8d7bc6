package import Geofencing

/// The owner and the name of a background activity session.
package struct SessionName: Codable, Sendable {
  /// The owner's uid; nil is the caller, and only root may name another.
  package var user: UInt32?

  /// Unique among the sessions of the owner; see ``Identifier/rule``.
  package var name: String

  package init(user: UInt32? = nil, name: String) {
    self.user = user
    self.name = name
  }
}

/// Holds a background activity session while the call lasts; it needs a call with `more`.
package enum Session: ControlMethod {
  package static let name = "Session"
  package typealias Parameters = SessionName

  /// Whether the session is new, or is one that others hold or that was released just before.
  package enum Outcome: String, Codable, Sendable {
    case begun
    case rejoined
  }

  package struct Reply: Codable, Sendable, Hashable {
    /// The uid of the owner.
    package var user: UInt32

    /// The name, as in the call.
    package var name: String

    /// What the call did.
    package var outcome: Outcome

    /// The time when the session began, by the system's clock.
    package var since: Timestamp

    package init(user: UInt32, name: String, outcome: Outcome, since: Timestamp) {
      self.user = user
      self.name = name
      self.outcome = outcome
      self.since = since
    }
  }
}

/// Ends a session at once.
package enum InvalidateSession: ControlMethod {
  package static let name = "InvalidateSession"

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// The name of the session.
    package var name: String

    /// Whether a session that is held goes on; nil is no.
    package var unlessHeld: Bool?

    package init(_ session: SessionName, unlessHeld: Bool? = nil) {
      user = session.user
      name = session.name
      self.unlessHeld = unlessHeld
    }
  }

  package struct Reply: Codable, Sendable {
    /// The number of calls that hold the session, if it goes on; nil if it has ended.
    package var holders: Int?

    package init(holders: Int?) {
      self.holders = holders
    }
  }
}

/// Asks for the sessions under way.
package enum Sessions: ControlMethod {
  package static let name = "Sessions"
  package typealias Parameters = OwnerParameters

  package struct Reply: Codable, Sendable, Hashable {
    /// Sorted by owner and name.
    package var sessions: [BackgroundSession]

    package init(sessions: [BackgroundSession]) {
      self.sessions = sessions
    }
  }
}

/// A background activity session, as callers get it.
package struct BackgroundSession: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// Unique among the sessions of the owner.
  package var name: String

  /// The time when it began, by the system's clock.
  package var since: Timestamp

  /// The number of calls that hold it.
  package var holders: Int

  /// The time when it ends unless somebody holds it again, by the system's clock; nil while it is held.
  package var lapses: Timestamp?

  package init(user: UInt32, name: String, since: Timestamp, holders: Int, lapses: Timestamp?) {
    self.user = user
    self.name = name
    self.since = since
    self.holders = holders
    self.lapses = lapses
  }
}
