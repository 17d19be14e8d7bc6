package import Geofencing

/// Changes many conditions of a monitor, all or nothing.
///
/// What doesn't fit into one message is handed over in parts: each but the last one is unfinished.
package enum Change: ControlMethod {
  package static let name = "Change"

  package struct Parameters: Codable, Sendable {
    /// Whose monitor, by uid; nil is the caller, and only root may name another.
    package var user: UInt32?

    /// Nil is ``GeofencedInterface/defaultMonitor``.
    package var monitor: String?

    /// The change that this is a part of, as the reply to its first part named it; nil in that one.
    package var change: String?

    /// What is to be watched; nil is none.
    package var conditions: [NewCondition]?

    /// The identifiers of conditions that are to go; nil is none.
    package var remove: [String]?

    /// Whether other parts follow; nil is no, as in the next two.
    package var unfinished: Bool?

    /// Whether everything goes that the change doesn't have; of the last part.
    package var sync: Bool?

    /// Whether nothing is done, and only told; of the last part.
    package var dryRun: Bool?

    package init(user: UInt32? = nil, monitor: String? = nil, conditions: [NewCondition]? = nil) {
      self.user = user
      self.monitor = monitor
      self.conditions = conditions
    }
  }

  /// What happens to one condition.
  package struct Difference: Codable, Sendable, Hashable {
    /// Replaced begins anew, adjusted goes on with other times, another confidence or another end.
    package enum Outcome: String, Codable, Sendable {
      case added
      case replaced
      case adjusted
      case removed
    }

    /// Which condition of the monitor.
    package var identifier: String

    /// What became of it, or would; one that stays as it is has no difference.
    package var outcome: Outcome

    /// What of a condition is different that was there before: names of its members; nil where it is new or gone.
    package var changed: [String]?

    package init(identifier: String, outcome: Outcome, changed: [String]? = nil) {
      self.identifier = identifier
      self.outcome = outcome
      self.changed = changed
    }
  }

  /// Its counts are 0 in all replies but the one that ends the change.
  package struct Reply: Codable, Sendable, Hashable {
    /// The change that other parts are to name; nil when it is finished.
    package var change: String?

    /// How many are new.
    package var added = 0

    /// How many begin anew in the place of others.
    package var replaced = 0

    /// How many go on as they are with other times, another confidence or another end.
    package var adjusted = 0

    /// How many were there already.
    package var unchanged = 0

    /// How many are watched no more.
    package var removed = 0

    /// Some of what happens, in the order of the identifiers, for a caller that takes many replies; else none.
    package var differences: [Difference] = []

    package init() {}
  }
}

/// A condition with its name, as a change takes it.
package struct NewCondition: Codable, Sendable {
  /// Unique in the monitor, and named once in a change; see ``Identifier/rule``.
  package var identifier: String

  /// What is to be watched, or what is wrong with it: a change tells several mistakes at once.
  package var condition: Result<Condition, ConditionError>

  /// What it begins as: nil has one go on of which only times, confidence or end differ, else it is `unknown`.
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
