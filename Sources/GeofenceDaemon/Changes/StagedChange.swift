import ControlInterface
import Geofencing
import MonitorStorage

/// Conditions that are to be changed together, as far as they have been handed over.
struct StagedChange: Sendable {
  /// A condition that is to be watched.
  struct Addition: Sendable {
    let identifier: String
    let state: ConditionState

    /// What is written, made before the one who writes has to wait for it.
    let stored: MonitorStore.StoredForm

    var condition: Condition { stored.condition }

    init(_ identifier: String, _ condition: Condition, assuming state: ConditionState) {
      self.identifier = identifier
      self.state = state
      stored = MonitorStore.StoredForm(of: condition)
    }
  }

  let monitor: MonitorKey
  private(set) var additions: [Addition] = []
  private(set) var removals: [String] = []

  /// How much of what is limited it holds.
  private(set) var size = Holding()

  private var identifiers: Set<String> = []

  init(of monitor: MonitorKey) {
    self.monitor = monitor
  }

  /// How many mistakes are told at once.
  private static let toldMistakes = 20

  /// One part: what is to be added and removed.
  ///
  /// - Throws: ``ControlError`` that names what is wrong with it, the first mistakes at once.
  init(of monitor: MonitorKey, adding conditions: [NewCondition], removing removals: [String])
    throws
  {
    self.monitor = monitor
    var mistakes: [String] = []
    additions.reserveCapacity(conditions.count)
    for new in conditions {
      do {
        guard Identifier.isValid(new.identifier) else {
          throw ConditionError.identifierInvalid(new.identifier)
        }
        guard new.assuming != .unmonitored else {
          throw ControlError.invalidCondition(
            "a condition can be assumed unknown, satisfied or unsatisfied, not unmonitored")
        }
        let condition = try new.condition.get()
        guard identifiers.insert(new.identifier).inserted else { throw Self.twice }
        additions.append(
          Addition(new.identifier, condition, assuming: new.assuming ?? .unknown))
        size.add(condition)
      } catch {
        mistakes.append("'\(new.identifier)': \(error)")
      }
    }
    for identifier in removals {
      guard Identifier.isValid(identifier) else {
        // It may be as long as a message, and what is kept until the last part counts conditions.
        let told = String(identifier.prefix(Identifier.maximumLength))
        mistakes.append("'\(told)': \(ConditionError.identifierInvalid(told))")
        continue
      }
      guard identifiers.insert(identifier).inserted else {
        mistakes.append("'\(identifier)': \(Self.twice)")
        continue
      }
    }
    self.removals = removals
    size.conditions += removals.count
    if let error = Self.error(for: mistakes) { throw error }
  }

  /// Whether it says something of a condition.
  func names(_ identifier: String) -> Bool { identifiers.contains(identifier) }

  /// Takes another part.
  ///
  /// - Throws: when it says something of a condition that another part has; then it is as before.
  mutating func append(_ part: StagedChange) throws {
    if !identifiers.isDisjoint(with: part.identifiers),
      let error = Self.error(
        for: part.identifiers.intersection(identifiers).sorted().map { "'\($0)': \(Self.twice)" })
    {
      throw error
    }
    if identifiers.isEmpty {
      identifiers = part.identifiers
    } else {
      identifiers.formUnion(part.identifiers)
    }
    additions += part.additions
    removals += part.removals
    size = size + part.size
  }

  /// Orders what is to be done by identifier: that is how it is stored and told.
  mutating func sort() {
    additions.sort { $0.identifier < $1.identifier }
    removals.sort()
  }

  private static let twice = ControlError.invalidCondition("it is there twice")

  /// The error that tells of some mistakes; nil when there are none.
  static func error(for mistakes: [String]) -> ControlError? {
    guard !mistakes.isEmpty else { return nil }
    let told = mistakes.prefix(toldMistakes).joined(separator: "; ")
    let others = mistakes.count - toldMistakes
    return .invalidCondition(others > 0 ? "\(told); and \(others) more" : told)
  }
}
