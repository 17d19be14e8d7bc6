package import Geofencing
package import Varlink

/// Asks how the daemon is doing.
package enum Status: ControlMethod {
  package static let name = "Status"
  package typealias Parameters = NoParameters

  package struct Reply: Codable, Sendable {
    /// The version of the daemon (`0.1.0`).
    package var version = ""

    /// The log that numbers the events.
    package var log = ""

    /// The present receiver; its counts begin with the daemon's start.
    package var receiver: Receiver

    /// The number of watched conditions of the caller; for root, of all users.
    package var conditions = 0

    /// The number of these conditions that are satisfied.
    package var satisfied = 0

    /// The number of these conditions that are too small for the present accuracy.
    package var accuracyLimited = 0

    /// The number of the newest event in the log, of any user; 0 if there was none.
    package var lastSequence: Int64 = 0

    /// The newest event of any kind that the caller may see; nil if the log has none.
    package var lastEvent: Event?

    /// The consumers of the caller; for root, of all users, and the journal.
    package var consumers: [Consumer] = []

    /// The state of the database.
    package var storage: Storage

    package init(receiver: Receiver, storage: Storage) {
      self.receiver = receiver
      self.storage = storage
    }
  }

  /// The state of the receiver, and of reading it.
  package struct Receiver: Codable, Sendable {
    /// The configured host and port of gpsd (`127.0.0.1:2947`).
    package var address: String

    /// The program that answers there (`gpsd 3.22`); nil while none does.
    package var source: String?

    /// Why no program answers, or why a look at the released receiver got nothing from it; else nil.
    package var disconnection: String?

    /// Whether gpsd answers, but has told nothing of a receiver for too long.
    package var silent = false

    /// The receivers, as gpsd names them; empty while it doesn't answer.
    package var devices: [String] = []

    /// gpsd's `mode` in the last report: 0 unknown, 1 no fix, 2 position, 3 position with altitude.
    package var mode = 0

    /// The number of satellites in use; nil if unknown, and while the receiver isn't heard.
    package var satellitesUsed: Int?

    /// The number of satellites in view; nil if unknown, and while the receiver isn't heard.
    package var satellitesSeen: Int?

    /// The last fix that was judged; nil if none has come since the daemon started.
    package var lastFix: ControlLocation?

    /// How many seconds ago that fix came; nil if there is none.
    package var lastFixAge: Double?

    /// The number of fixes that were used.
    package var accepted = 0

    /// The number of reports that were left out, by reason; Docs/Protocol.md lists the codes.
    package var rejected: [String: Int] = [:]

    /// The positions refused at present because they contradict the last fix; nil if there are none.
    package var doubt: Doubt?

    /// The seconds by which the receiver's clock is ahead of the system's, negative if behind; nil without a last fix.
    package var clockOffset: Double?

    /// How often gpsd was reached and has told its version.
    package var connections = 0

    /// How often a connection was lost or couldn't be made.
    package var failedConnections = 0

    /// The number of lines from gpsd that weren't messages.
    package var undecodableLines = 0

    /// The number of lines from gpsd that were longer than any message.
    package var tooLongLines = 0

    /// What notices motion while the receiver is released, or why it can't; nil if there is no sensor.
    package var motionSensor: String?

    /// Whether anything needs positions.
    package var watched = false

    /// For how many seconds the receiver has been in use without a release, with fixes or without; nil while it isn't.
    package var usedFor: Double?

    /// Whether the receiver is at rest; false also if that isn't known.
    package var stationary = false

    /// Why it isn't at rest, or is in use although it is, in words; nil if it is released, or if unknown.
    package var awake: String?

    /// Since when locations pause, by the system's clock; nil while they don't, or a receiver in use isn't heard.
    package var pausedSince: Timestamp?

    /// Whether gpsd isn't listened to on purpose.
    package var released = false

    /// The seconds until a released receiver is looked at, 0 or more; nil if it isn't released, and during a look.
    package var nextProbe: Double?

    package init(address: String) {
      self.address = address
    }
  }

  /// Positions that are refused at present because they contradict the last fix.
  package struct Doubt: Codable, Sendable {
    /// The code of the reason why the last of them was refused.
    package var reason: String

    /// The number of positions refused since the last fix, whether they agree with each other or not.
    package var positions: Int

    /// The seconds over which they came, by the receiver's clock.
    package var seconds: Double

    /// The distance in metres of the last of them from the last fix.
    package var distance: Double

    /// For how many seconds positions have to agree with each other before they are believed.
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

  /// A consumer of events.
  package struct Consumer: Codable, Sendable {
    /// `journal`, `events-socket/1000` for the connections of a user to that socket, or the name given by a user.
    package var name: String

    /// The uid of the user who has named it; nil for the journal and the events socket.
    package var user: UInt32?

    /// The only monitor whose events it reads; nil is all.
    package var monitor: String?

    /// The number of the last event that it has handled.
    package var cursor: Int64

    /// The number of events that wait for it.
    package var waiting: Int

    /// Whether somebody reads as this consumer now; nil if unknown.
    package var connected: Bool?

    /// The events that it has missed and wasn't told of yet; nil if there are none.
    package var lagged: Lagged?

    /// True if the configuration has turned it off; then events wait until it is turned on.
    package var disabled: Bool?

    /// Why the journal doesn't accept entries; nil while it does, and for other consumers.
    package var failure: String?

    package init(name: String, cursor: Int64, waiting: Int) {
      self.name = name
      self.cursor = cursor
      self.waiting = waiting
    }
  }

  /// The state of the database of events.
  package struct Storage: Codable, Sendable {
    /// The path of the database.
    package var path: String

    /// Why events can't be stored, removed or read at present; nil while they can.
    package var failure: String?

    /// The number of events that wait in memory until they can be stored.
    package var pending = 0

    /// The number of events waiting in memory that were dropped since the daemon started.
    package var lost = 0

    /// The number of the oldest event that is kept; if there is none, of the next event.
    package var first: Int64 = 1

    /// The time when the oldest event that is kept was logged, by the system's clock; nil if there is none.
    package var oldest: Timestamp?

    /// The path of the newest damaged database that was set aside; nil if there is no such file.
    package var setAside: String?

    package init(path: String) {
      self.path = path
    }
  }
}
