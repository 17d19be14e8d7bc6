package import Geofencing
package import Varlink

/// Names one consumer.
package struct ConsumerName: Codable, Sendable, Hashable {
  /// Whose consumer, by uid; nil is the caller, and only root may name another.
  package var user: UInt32?

  /// The one monitor that it reads; nil is all.
  package var monitor: String?

  /// Unique among those of that owner and monitor; see ``Identifier/rule``.
  package var consumer: String

  package init(user: UInt32? = nil, monitor: String? = nil, consumer: String) {
    self.user = user
    self.monitor = monitor
    self.consumer = consumer
  }
}

/// Reads as a named consumer; with `more`, holds it and follows.
package enum Consume: ControlMethod {
  package static let name = "Consume"

  package struct Parameters: Codable, Sendable {
    /// Whose consumer, by uid; nil is the caller: root's reads everybody's events then, if it names no monitor.
    package var user: UInt32?

    /// The one monitor that it reads; nil is all.
    package var monitor: String?

    /// Unique among those of that owner and monitor; see ``Identifier/rule``.
    package var consumer: String

    /// The number of the event after which a new one begins; nil is with the oldest that is kept.
    package var since: Int64?

    /// Which consumer.
    package var name: ConsumerName {
      ConsumerName(user: user, monitor: monitor, consumer: consumer)
    }

    package init(_ name: ConsumerName, since: Int64? = nil) {
      user = name.user
      monitor = name.monitor
      consumer = name.consumer
      self.since = since
    }
  }

  package struct Reply: Codable, Sendable {
    /// Which log numbers the events.
    package var log: String

    /// In the order of their numbers; those that weren't acknowledged.
    package var events: [Event]

    /// What it will never get, from before these events; nil where it misses nothing.
    package var lagged: Lagged?

    package init(log: String, events: [Event], lagged: Lagged? = nil) {
      self.log = log
      self.events = events
      self.lagged = lagged
    }
  }
}

/// Says how far a consumer has got.
package enum Acknowledge: ControlMethod {
  package static let name = "Acknowledge"
  package typealias Reply = NoParameters

  package struct Parameters: Codable, Sendable {
    /// Whose consumer, by uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// The one monitor that it reads; nil is all.
    package var monitor: String?

    /// Unique among those of that owner and monitor; see ``Identifier/rule``.
    package var consumer: String

    /// The number of the event up to which it has done with all, from 0 to that of the newest.
    package var sequence: Int64

    /// The log that numbers it, as nothing of another is acknowledged; nil is whichever is in use.
    package var log: String?

    /// Which consumer.
    package var name: ConsumerName {
      ConsumerName(user: user, monitor: monitor, consumer: consumer)
    }

    package init(_ name: ConsumerName, sequence: Int64, log: String? = nil) {
      user = name.user
      monitor = name.monitor
      consumer = name.consumer
      self.sequence = sequence
      self.log = log
    }
  }
}

/// Asks for the named consumers.
package enum Consumers: ControlMethod {
  package static let name = "Consumers"
  package typealias Parameters = OwnerParameters

  package struct Reply: Codable, Sendable, Hashable {
    /// In the order of owners, monitors and names.
    package var consumers: [NamedConsumer]

    package init(consumers: [NamedConsumer]) {
      self.consumers = consumers
    }
  }
}

/// A named consumer as callers see it.
package struct NamedConsumer: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// The one monitor that it reads; nil is all.
  package var monitor: String?

  /// Unique among those of that owner and monitor; see ``Identifier/rule``.
  package var consumer: String

  /// The number of the last event that was acknowledged, or after which it began.
  package var cursor: Int64

  /// How many events that it reads come after that.
  package var waiting: Int

  /// Whether somebody reads as it now.
  package var connected: Bool

  /// What it will never get; nil where it misses nothing.
  package var lagged: Lagged?

  package init(
    user: UInt32, monitor: String?, consumer: String, cursor: Int64, waiting: Int,
    connected: Bool, lagged: Lagged?
  ) {
    self.user = user
    self.monitor = monitor
    self.consumer = consumer
    self.cursor = cursor
    self.waiting = waiting
    self.connected = connected
    self.lagged = lagged
  }
}

/// Removes a named consumer.
package enum RemoveConsumer: ControlMethod {
  package static let name = "RemoveConsumer"
  package typealias Parameters = ConsumerName
  package typealias Reply = NoParameters
}
