import ControlInterface
import Geofencing
import MonitorStorage

/// Conditions that are to be changed together, as far as they have been handed over.
struct StagedChange: Sendable {
  /// A condition that is to be watched.
  struct Addition: Sendable {
    let identifier: String

    /// What it is assumed to be; nil is not known.
    let state: ConditionState?

    /// What is written, made before the one who writes has to wait for it.
    let stored: MonitorStore.StoredForm

    var condition: Condition { stored.condition }

    init(_ identifier: String, _ condition: Condition, assuming state: ConditionState?) {
      self.identifier = identifier
      self.state = state
      stored = MonitorStore.StoredForm(of: condition)
    }
  }

  let monitor: MonitorKey
  private(set) var additions: [Addition] = []
  private(set) var removals: [String] = []

  /// How much of what is limited it adds.
  private(set) var size = Holding()

  private var identifiers: Set<String> = []

  init(of monitor: MonitorKey) {
    self.monitor = monitor
  }

  /// What is wrong with a change, of which the beginning is told: there may be millions.
  struct Mistakes {
    private static let limit = 20
    private var told: [String] = []
    private var count = 0

    mutating func add(
      _ identifier: String, _ problem: @autoclosure () -> some CustomStringConvertible
    ) {
      count += 1
      guard told.count < Self.limit else { return }
      // What is none may be as long as a message.
      let name = Identifier.isValid(identifier) ? "'\(identifier)'" : Identifier.quoted(identifier)
      told.append("\(name): \(problem())")
    }

    /// The error that tells of them; nil when there are none.
    var error: ControlError? {
      guard count > 0 else { return nil }
      let text = told.joined(separator: "; ")
      let others = count - told.count
      return ControlError(.invalidCondition, others > 0 ? "\(text); and \(others) more" : text)
    }
  }

  /// One part: what is to be added and removed.
  ///
  /// - Throws: ``ControlError`` that names what is wrong with it, the first mistakes at once.
  init(of monitor: MonitorKey, adding conditions: [NewCondition], removing removals: [String])
    throws
  {
    self.monitor = monitor
    var mistakes = Mistakes()
    additions.reserveCapacity(conditions.count)
    for new in conditions {
      do {
        guard Identifier.isValid(new.identifier) else {
          throw ConditionError.identifierInvalid(new.identifier)
        }
        guard new.assuming != .unmonitored else { throw ConditionError.assumedUnmonitored }
        let condition = try new.condition.get()
        guard identifiers.insert(new.identifier).inserted else { throw Self.twice }
        additions.append(Addition(new.identifier, condition, assuming: new.assuming))
        size.add(condition)
      } catch {
        mistakes.add(new.identifier, "\(error)")
      }
    }
    for identifier in removals {
      guard Identifier.isValid(identifier) else {
        mistakes.add(
          identifier,
          ConditionError.identifierInvalid(String(identifier.prefix(Identifier.maximumLength))))
        continue
      }
      if !identifiers.insert(identifier).inserted { mistakes.add(identifier, Self.twice) }
    }
    self.removals = removals
    if let error = mistakes.error { throw error }
  }

  /// Whether it says something of a condition.
  func names(_ identifier: String) -> Bool { identifiers.contains(identifier) }

  /// Takes another part.
  ///
  /// - Throws: when it says something of a condition that another part has; then it is as before.
  mutating func append(_ part: StagedChange) throws {
    if !identifiers.isDisjoint(with: part.identifiers) {
      var mistakes = Mistakes()
      for identifier in part.identifiers.intersection(identifiers).sorted() {
        mistakes.add(identifier, Self.twice)
      }
      if let error = mistakes.error { throw error }
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

  private static let twice = ControlError(.invalidCondition, "it is there twice")
}
