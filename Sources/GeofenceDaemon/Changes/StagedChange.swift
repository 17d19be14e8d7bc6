import ControlInterface
import Geofencing
import MonitorStorage

/// Conditions that are to be changed together, as far as they have been handed over.
struct StagedChange: Sendable {
  /// A condition that is to be watched.
  struct Addition: Sendable {
    let identifier: String

    /// The state that is assumed at first; nil means that none is known.
    let state: ConditionState?

    /// The form that is written to the database, made here so that the writer doesn't wait for it.
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

  /// How many conditions and positions it adds.
  private(set) var size = Holding()

  private var identifiers: Set<String> = []

  init(of monitor: MonitorKey) {
    self.monitor = monitor
  }

  /// What is wrong with a change; only the first mistakes are told: there may be millions.
  struct Mistakes {
    private static let limit = 20
    private var told: [String] = []
    private var count = 0

    mutating func add(
      _ identifier: String, _ problem: @autoclosure () -> some CustomStringConvertible
    ) {
      count += 1
      guard told.count < Self.limit else { return }
      // A text that isn't an identifier may be as long as a whole message, so it is shortened.
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
  /// - Throws: ``ControlError`` that names the first mistakes.
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

  /// Whether it adds or removes a condition.
  func names(_ identifier: String) -> Bool { identifiers.contains(identifier) }

  /// Takes another part.
  ///
  /// - Throws: when it adds or removes a condition that another part did, too; then nothing is taken.
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

  /// Sorts the additions and removals by identifier: in this order they are stored and told.
  mutating func sort() {
    additions.sort { $0.identifier < $1.identifier }
    removals.sort()
  }

  private static let twice = ControlError(.invalidCondition, "it is there twice")
}
