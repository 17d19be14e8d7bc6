package import Geofencing
package import Varlink

/// The owner, monitor and name of a consumer.
package struct ConsumerName: Codable, Sendable, Hashable {
  /// The owner's uid; nil is the caller, and only root may name another.
  package var user: UInt32?

  /// The only monitor whose events it reads; nil is all.
  package var monitor: String?

  /// Unique among the consumers of this owner and monitor; see ``Identifier/rule``.
  package var consumer: String

  package init(user: UInt32? = nil, monitor: String? = nil, consumer: String) {
    self.user = user
    self.monitor = monitor
    self.consumer = consumer
  }
}

/// Reads events as a named consumer; with `more`, holds the consumer and gets new events as they come.
package enum Consume: ControlMethod {
  package static let name = "Consume"

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller.
    ///
    /// A consumer of root without a monitor reads the events of all users.
    package var user: UInt32?

    /// The only monitor whose events it reads; nil is all.
    package var monitor: String?

    /// Unique among the consumers of this owner and monitor; see ``Identifier/rule``.
    package var consumer: String

    /// The number of the event after which a new consumer begins; nil begins with the oldest event that is kept.
    package var since: Int64?

    /// The owner, monitor and name together.
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
    /// The log that numbers the events.
    package var log: String

    /// The events that weren't acknowledged yet, sorted by number.
    package var events: [Event]

    /// The events before these that it will never get; nil if it misses none.
    package var lagged: Lagged?

    package init(log: String, events: [Event], lagged: Lagged? = nil) {
      self.log = log
      self.events = events
      self.lagged = lagged
    }
  }
}

/// Tells up to which event a consumer has handled all.
package enum Acknowledge: ControlMethod {
  package static let name = "Acknowledge"
  package typealias Reply = NoParameters

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// The only monitor whose events it reads; nil is all.
    package var monitor: String?

    /// Unique among the consumers of this owner and monitor; see ``Identifier/rule``.
    package var consumer: String

    /// The number of the event up to which all are handled, from 0 to the number of the newest event.
    package var sequence: Int64

    /// The log that numbers the event, as events of another log aren't acknowledged; nil is the present log.
    package var log: String?

    /// The owner, monitor and name together.
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
    /// Sorted by owner, monitor and name.
    package var consumers: [NamedConsumer]

    package init(consumers: [NamedConsumer]) {
      self.consumers = consumers
    }
  }
}

/// A named consumer, as callers get it.
package struct NamedConsumer: Codable, Sendable, Hashable {
  /// The uid of the owner.
  package var user: UInt32

  /// The only monitor whose events it reads; nil is all.
  package var monitor: String?

  /// Unique among the consumers of this owner and monitor; see ``Identifier/rule``.
  package var consumer: String

  /// The number of the last acknowledged event, or of the event after which it began.
  package var cursor: Int64

  /// The number of its events after the cursor.
  package var waiting: Int

  /// Whether somebody holds it now.
  package var connected: Bool

  /// The events that it will never get; nil if it misses none.
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
