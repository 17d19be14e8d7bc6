package import Geofencing
package import Varlink

/// Asks how the daemon is doing.
package enum Status: ControlMethod {
  package static let name = "Status"
  package typealias Parameters = NoParameters

  package struct Reply: Codable, Sendable {
    package var version = ""
    package var log = ""
    package var receiver: Receiver
    package var conditions = 0
    package var satisfied = 0
    package var accuracyLimited = 0
    package var lastSequence: Int64 = 0
    package var lastEvent: Event?
    package var consumers: [Consumer] = []
    package var storage: Storage

    package init(receiver: Receiver, storage: Storage) {
      self.receiver = receiver
      self.storage = storage
    }
  }

  /// The receiver, and what reads it.
  package struct Receiver: Codable, Sendable {
    package var address: String
    package var source: String?
    package var disconnection: String?
    package var silent = false
    package var devices: [String] = []
    package var mode = 0
    package var satellitesUsed: Int?
    package var satellitesSeen: Int?
    package var lastFix: ControlLocation?
    package var lastFixAge: Double?
    package var accepted = 0
    package var rejected: [String: Int] = [:]
    package var doubt: Doubt?
    package var clockOffset: Double?
    package var connections = 0
    package var failedConnections = 0
    package var undecodableLines = 0
    package var tooLongLines = 0
    package var motionSensor: String?
    package var watched = false
    package var usedFor: Double?
    package var stationary = false
    package var awake: String?
    package var pausedSince: Timestamp?
    package var released = false
    package var nextProbe: Double?

    package init(address: String) {
      self.address = address
    }
  }

  /// Positions that are refused at present because they contradict the last fix.
  package struct Doubt: Codable, Sendable {
    /// The code of why the last of them was.
    package var reason: String

    /// How many were refused since the last fix, and over how many seconds by the receiver's clock.
    package var positions: Int
    package var seconds: Double

    /// How far from the last fix the last of them is, in metres.
    package var distance: Double

    /// For how many seconds they have to agree with each other before they are believed.
    package var believedAfter: Double

    package init(
      reason: String, positions: Int, seconds: Double, distance: Double, believedAfter: Double
    ) {
      self.reason = reason
      self.positions = positions
      self.seconds = seconds
      self.distance = distance
      self.believedAfter = believedAfter
    }
  }

  /// Somebody who is told of events.
  package struct Consumer: Codable, Sendable {
    package var name: String

    /// Whose it is, where it has been given its name by a user.
    package var user: UInt32?

    /// The one monitor that it reads; nil is all.
    package var monitor: String?
    package var cursor: Int64

    /// How many events wait for it.
    package var waiting: Int

    /// Whether somebody reads as it now; nil where that isn't known.
    package var connected: Bool?

    /// What it has missed and not been told of.
    package var lagged: Lagged?

    /// True where the configuration has turned it off: events wait for it until it is turned on.
    package var disabled: Bool?
    package var failure: String?

    package init(name: String, cursor: Int64, waiting: Int) {
      self.name = name
      self.cursor = cursor
      self.waiting = waiting
    }
  }

  /// Where events are kept.
  package struct Storage: Codable, Sendable {
    package var path: String
    package var failure: String?
    package var pending = 0
    package var lost = 0

    /// The number of the oldest event that is kept; that of the next one where there is none.
    package var first: Int64 = 1

    /// When the oldest event that is kept was logged.
    package var oldest: Timestamp?

    /// The newest damaged database that was set aside, as long as nobody has taken it away.
    package var setAside: String?

    package init(path: String) {
      self.path = path
    }
  }
}
