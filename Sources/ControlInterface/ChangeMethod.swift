package import Geofencing

/// Changes many conditions of a monitor: all of them, or none.
///
/// A change that doesn't fit into one message is handed over in parts: each but the last is marked as unfinished.
package enum Change: ControlMethod {
  package static let name = "Change"

  package struct Parameters: Codable, Sendable {
    /// The owner's uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// Nil is ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// The change to which this part belongs, as named in the reply to its first part; nil in the first part.
    package var change: String?

    /// The conditions to add or replace; nil is none.
    package var conditions: [NewCondition]?

    /// The identifiers of conditions to remove; nil is none.
    package var remove: [String]?

    /// Whether other parts follow; nil is no.
    package var unfinished: Bool?

    /// Whether all conditions are removed that the change doesn't name; only in the last part, nil is no.
    package var sync: Bool?

    /// Whether the change is only tried, to tell what it would do; only in the last part, nil is no.
    package var dryRun: Bool?

    package init(user: UInt32? = nil, monitor: String? = nil, conditions: [NewCondition]? = nil) {
      self.user = user
      self.monitor = monitor
      self.conditions = conditions
    }
  }

  /// What a change does to one condition.
  package struct Difference: Codable, Sendable, Hashable {
    /// A replaced condition begins anew; an adjusted one goes on with other times, another confidence or another end.
    package enum Outcome: String, Codable, Sendable {
      case added
      case replaced
      case adjusted
      case removed
    }

    /// The identifier of the condition in its monitor.
    package var identifier: String

    /// What happened to the condition, or would happen; there is no difference for one that stays as it is.
    package var outcome: Outcome

    /// The names of the members of a changed condition that are different; nil if it is new or removed.
    package var changed: [String]?

    package init(identifier: String, outcome: Outcome, changed: [String]? = nil) {
      self.identifier = identifier
      self.outcome = outcome
      self.changed = changed
    }
  }

  /// The reply to a part; its counts are 0 in all replies but the one that ends the change.
  package struct Reply: Codable, Sendable, Hashable {
    /// The change that further parts have to name; nil if it is finished.
    package var change: String?

    /// The number of new conditions.
    package var added = 0

    /// The number of conditions that begin anew in place of others.
    package var replaced = 0

    /// The number of conditions that go on with other times, another confidence or another end.
    package var adjusted = 0

    /// The number of conditions that were there already and stay as they are.
    package var unchanged = 0

    /// The number of conditions that aren't watched any more.
    package var removed = 0

    /// Some of the differences, sorted by identifier, if the caller accepts many replies; else empty.
    package var differences: [Difference] = []

    package init() {}
  }
}

/// A condition of a change, with its identifier.
package struct NewCondition: Codable, Sendable {
  /// Unique in the monitor, and used once in a change; see ``Identifier/rule``.
  package var identifier: String

  /// The condition, or what is wrong with it: so a change can tell several mistakes at once.
  package var condition: Result<Condition, ConditionError>

  /// The state in which it begins.
  ///
  /// Nil is `unknown`; but a condition of which only times, confidence or end change keeps its state.
  package var assuming: ConditionState?

  package init(identifier: String, condition: Condition, assuming: ConditionState? = nil) {
    self.identifier = identifier
    self.condition = .success(condition)
    self.assuming = assuming
  }

  private enum CodingKeys: CodingKey {
    case identifier, condition, assuming
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    identifier = try container.decode(String.self, forKey: .identifier)
    do {
      condition = .success(try container.decode(Condition.self, forKey: .condition))
    } catch let error as ConditionError {
      condition = .failure(error)
    }
    assuming = try container.decodeIfPresent(ConditionState.self, forKey: .assuming)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(identifier, forKey: .identifier)
    try container.encode(condition.get(), forKey: .condition)
    try container.encodeIfPresent(assuming, forKey: .assuming)
  }
}
