package import Geofencing
package import Varlink

/// Asks how the daemon is doing.
package enum Status: ControlMethod {
  package static let name = "Status"
  package typealias Parameters = NoParameters

  package struct Reply: Codable, Sendable {
    /// The daemon's (`0.1.0`).
    package var version = ""

    /// Which log numbers the events.
    package var log = ""

    /// As of now; what is counted, since the daemon started.
    package var receiver: Receiver

    /// How many are watched: the caller's, and for root everybody's.
    package var conditions = 0

    /// How many of them are satisfied.
    package var satisfied = 0

    /// How many of them are too small for the accuracy at hand.
    package var accuracyLimited = 0

    /// The number of the newest event in the log, whosever that is; 0 before the first.
    package var lastSequence: Int64 = 0

    /// The newest event that the caller may see, of whatever kind; nil where the log has none.
    package var lastEvent: Event?

    /// The caller's, and for root everybody's and the journal.
    package var consumers: [Consumer] = []

    /// How the database fares.
    package var storage: Storage

    package init(receiver: Receiver, storage: Storage) {
      self.receiver = receiver
      self.storage = storage
    }
  }

  /// The receiver, and what reads it.
  package struct Receiver: Codable, Sendable {
    /// The host and port of gpsd, as they are configured (`127.0.0.1:2947`).
    package var address: String

    /// What answers there (`gpsd 3.22`); nil while nothing does.
    package var source: String?

    /// Why nothing answers, or looks at a released receiver heard nothing of it; else nil.
    package var disconnection: String?

    /// Whether gpsd answers and has told nothing of a receiver for too long.
    package var silent = false

    /// The receivers, as gpsd names them; none while it doesn't answer.
    package var devices: [String] = []

    /// gpsd's `mode` of the last report: 0 unknown, 1 no fix, 2 position, 3 altitude too.
    package var mode = 0

    /// How many satellites it uses; nil where that is unknown, and while nothing is heard.
    package var satellitesUsed: Int?

    /// How many satellites it sees; nil as those that it uses.
    package var satellitesSeen: Int?

    /// The fix that was judged last; nil where none has come since the daemon started.
    package var lastFix: ControlLocation?

    /// How many seconds ago that fix came; nil where there is none.
    package var lastFixAge: Double?

    /// How many fixes were used.
    package var accepted = 0

    /// How many reports were left out, by why: Docs/Protocol.md lists the codes.
    package var rejected: [String: Int] = [:]

    /// What is refused at present because it contradicts the last fix; nil where nothing is.
    package var doubt: Doubt?

    /// How many seconds the receiver's clock is ahead of the system's, negative behind; nil without a last fix.
    package var clockOffset: Double?

    /// How often gpsd was reached and said who it is.
    package var connections = 0

    /// How often a connection was lost or none was to be had.
    package var failedConnections = 0

    /// How many lines of gpsd were no message.
    package var undecodableLines = 0

    /// How many lines of gpsd were longer than any message.
    package var tooLongLines = 0

    /// What notices motion while the receiver is released, or why it can't; nil where there is no sensor.
    package var motionSensor: String?

    /// Whether anything needs positions.
    package var watched = false

    /// For how many seconds it has been in use without a release, with fixes or without; nil while it isn't.
    package var usedFor: Double?

    /// Whether it is at rest; false also where that isn't known.
    package var stationary = false

    /// Why it isn't at rest, or is in use although it is, in words; nil of one that is released, or where unknown.
    package var awake: String?

    /// Since when locations are silent, by the system's clock; nil while they aren't, or a receiver in use isn't heard.
    package var pausedSince: Timestamp?

    /// Whether gpsd isn't listened to, on purpose.
    package var released = false

    /// In how many seconds a released one is looked at, 0 or more; nil of another, and during a look.
    package var nextProbe: Double?

    package init(address: String) {
      self.address = address
    }
  }

  /// Positions that are refused at present because they contradict the last fix.
  package struct Doubt: Codable, Sendable {
    /// The code of why the last of them was.
    package var reason: String

    /// How many were refused since the last fix, whether they agree with each other or not.
    package var positions: Int

    /// Over how many seconds those came, by the receiver's clock.
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
    /// `journal`, `events-socket/1000` for a user's connections there, or what a user has named it.
    package var name: String

    /// The uid of who has named it; nil of the journal and of the events socket's.
    package var user: UInt32?

    /// The one monitor that it reads; nil is all.
    package var monitor: String?

    /// The number of the last event that it has done with.
    package var cursor: Int64

    /// How many events wait for it.
    package var waiting: Int

    /// Whether somebody reads as it now; nil where that isn't known.
    package var connected: Bool?

    /// What it has missed and not been told of; nil is nothing.
    package var lagged: Lagged?

    /// True where the configuration has turned it off: events wait for it until it is turned on.
    package var disabled: Bool?

    /// Why the journal takes nothing; nil while it does, and of all others.
    package var failure: String?

    package init(name: String, cursor: Int64, waiting: Int) {
      self.name = name
      self.cursor = cursor
      self.waiting = waiting
    }
  }

  /// Where events are kept.
  package struct Storage: Codable, Sendable {
    /// Where the database is.
    package var path: String

    /// Why events can't be stored, removed or read at present; nil while they can.
    package var failure: String?

    /// How many events wait in memory until they can be stored.
    package var pending = 0

    /// How many events were dropped from there since the daemon started.
    package var lost = 0

    /// The number of the oldest event that is kept; that of the next one where there is none.
    package var first: Int64 = 1

    /// When the oldest event that is kept was logged, by the system's clock; nil where there is none.
    package var oldest: Timestamp?

    /// The path of the newest damaged database that was set aside; nil where nobody has left one there.
    package var setAside: String?

    package init(path: String) {
      self.path = path
    }
  }
}
