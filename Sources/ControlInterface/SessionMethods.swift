package import Geofencing

/// Names one background activity session.
package struct SessionName: Codable, Sendable {
  /// Whose session, by uid; nil is the caller, and only root may name another.
  package var user: UInt32?

  /// Unique among the owner's; see ``Identifier/rule``.
  package var name: String

  package init(user: UInt32? = nil, name: String) {
    self.user = user
    self.name = name
  }
}

/// Holds a background activity session for as long as the call lasts; wants `more`.
package enum Session: ControlMethod {
  package static let name = "Session"
  package typealias Parameters = SessionName

  /// Whether the session is new, or is one that others hold or somebody has just let go.
  package enum Outcome: String, Codable, Sendable {
    case begun
    case rejoined
  }

  package struct Reply: Codable, Sendable, Hashable {
    /// The uid of the owner.
    package var user: UInt32

    /// As the call named it.
    package var name: String

    /// What the call did.
    package var outcome: Outcome

    /// When the session was begun, by the system's clock.
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
    /// Whose session, by uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// Which of them.
    package var name: String

    /// Whether one that somebody holds goes on; nil is no.
    package var unlessHeld: Bool?

    package init(_ session: SessionName, unlessHeld: Bool? = nil) {
      user = session.user
      name = session.name
      self.unlessHeld = unlessHeld
    }
  }

  package struct Reply: Codable, Sendable {
    /// How many calls hold the session, which goes on; nil when it has ended.
    package var holders: Int?

    package init(holders: Int?) {
      self.holders = holders
    }
  }
}

/// Asks for the sessions that live.
package enum Sessions: ControlMethod {
  package static let name = "Sessions"
  package typealias Parameters = OwnerParameters

  package struct Reply: Codable, Sendable, Hashable {
    /// In the order of owners and names.
    package var sessions: [BackgroundSession]

    package init(sessions: [BackgroundSession]) {
      self.sessions = sessions
    }
  }
}

/// A background activity session as callers see it.
package struct BackgroundSession: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// Unique among the owner's.
  package var name: String

  /// When it was begun, by the system's clock.
  package var since: Timestamp

  /// How many calls hold it.
  package var holders: Int

  /// When it ends if nobody rejoins it, by the system's clock; nil while it is held.
  package var lapses: Timestamp?

  package init(user: UInt32, name: String, since: Timestamp, holders: Int, lapses: Timestamp?) {
    self.user = user
    self.name = name
    self.since = since
    self.holders = holders
    self.lapses = lapses
  }
}
