package import Geofencing

/// Asks how the daemon is doing.
package enum Status: ControlMethod {
  package static let name = "Status"

  package struct Parameters: Codable, Sendable {
    package init() {}
  }

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
    package var clockOffset: Double?
    package var connections = 0
    package var failedConnections = 0
    package var undecodableLines = 0
    package var tooLongLines = 0
    package var motionSensor: String?
    package var watched = false
    package var stationary = false
    package var pausedSince: Timestamp?
    package var released = false
    package var nextProbe: Double?

    package init(address: String) {
      self.address = address
    }
  }

  /// Somebody who is told of events.
  package struct Consumer: Codable, Sendable {
    package var name: String
    package var cursor: Int64
    package var behind: Int64
    package var failure: String?

    package init(name: String, cursor: Int64, behind: Int64, failure: String?) {
      self.name = name
      self.cursor = cursor
      self.behind = behind
      self.failure = failure
    }
  }

  /// Where events are kept.
  package struct Storage: Codable, Sendable {
    package var path: String
    package var failure: String?
    package var pending = 0
    package var lost = 0

    package init(path: String) {
      self.path = path
    }
  }
}
