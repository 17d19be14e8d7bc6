import CommandLineParsing
import Geofencing

/// Collects the conditions of a file, and the mistakes in it.
struct ConditionCollector {
  private let reader: ConditionsReader

  private var conditions: [NamedCondition] = []
  /// The first condition that has expired, and the number of those.
  private var firstExpired = ""
  private var expired = 0

  /// The place of the condition with each identifier, and whether that was made from something else.
  private var places: [String: (origin: NamedCondition.Origin, isMade: Bool)] = [:]
  private var positions = 0
  private var mistakes: [String] = []
  private var untoldMistakes = 0
  private var numbers: [String: Int] = [:]
  /// The last number appended to make a name unique, by the part of the name that stays before any number.
  private var repetitions: [String: Int] = [:]
  private var renamed = MadeIdentifiers()
  private var unnamed = 0
  private var hashed = MadeIdentifiers()
  private var unlocated = 0
  /// Whether the size given by an option was used, for each option that some shape could have used.
  private var takenSizes: [String: Bool] = [:]

  /// Called with each condition as it is found, until there is a mistake; the conditions aren't collected then.
  var taker: ((NamedCondition) throws -> Void)?

  init(for reader: ConditionsReader) { self.reader = reader }

  var path: String { reader.path }

  /// The place of the next condition of a kind, which begins on a line.
  mutating func origin(line: Int, kind: String) -> NamedCondition.Origin {
    numbers[kind, default: 0] += 1
    return NamedCondition.Origin(path: path, line: line, kind: kind, number: numbers[kind] ?? 1)
  }

  /// Adds a condition, or notes what is wrong with it.
  ///
  /// - Throws: ``FileMistakes`` if the file has more conditions or positions than are read.
  mutating func add(_ draft: ConditionDraft, at origin: NamedCondition.Origin) throws(FileMistakes)
  {
    positions += draft.shape?.positionCount ?? 0
    guard positions <= ConditionsReader.maximumPositions else {
      throw failure(
        line: origin.line, "more than \(ConditionsReader.maximumPositions) positions in one file")
    }
    guard places.count < ConditionsReader.maximumConditions else {
      throw failure(
        line: origin.line, "more than \(ConditionsReader.maximumConditions) conditions in one file")
    }
    if let kind = reader.onlyShapes, !draft.mayBe(kind) { return }
    do {
      let condition = try draft.condition(
        width: reader.width, radius: reader.radius, onlyShape: reader.onlyShapes != nil)
      // Even if it has expired: the identifiers of others mustn't depend on the date.
      let identifier = try identifier(of: draft, at: origin)
      let isMade = if case .identifier = draft.name { false } else { true }
      places[identifier] = (origin, isMade)
      if let (option, isTaken) = draft.takes(width: reader.width, radius: reader.radius) {
        takenSizes[option, default: false] = takenSizes[option] == true || isTaken
      }
      if let now = reader.now, let expires = condition.expires, expires <= now {
        if expired == 0 { firstExpired = "'\(identifier)' on line \(origin.line)" }
        expired += 1
        return
      }
      let named = NamedCondition(identifier: identifier, condition: condition)
      if let taker {
        if mistakes.isEmpty { try taker(named) }
      } else {
        conditions.append(named)
      }
    } catch {
      note("\(origin): \(error)")
    }
  }

  /// Notes something without a place, which isn't a condition.
  ///
  /// - Parameter isTold: Whether another note says that it was skipped.
  mutating func addUnlocated(at origin: NamedCondition.Origin, isTold: Bool = false) {
    if !isTold { unlocated += 1 }
    if !reader.skipsUnlocated {
      note("\(origin): it has no geometry to watch; only without --sync is it skipped")
    }
  }

  /// The mistakes so far, and the one on a line after which the file can't be read any further.
  func failure(line: Int, _ problem: String) -> FileMistakes {
    failure("\(path):\(line): \(problem)")
  }

  /// The mistakes so far, and another one as a line of its own.
  func failure(_ line: String) -> FileMistakes {
    var copy = self
    copy.note(line)
    return FileMistakes(lines: copy.mistakes, more: copy.untoldMistakes)
  }

  /// The conditions and notes; throws if there are mistakes, or no conditions.
  mutating func finish(
    format: GeographicFormat, notes: [String]
  ) throws(FileMistakes) -> ConditionsFile {
    guard mistakes.isEmpty else {
      throw FileMistakes(lines: mistakes, more: untoldMistakes)
    }
    var notes = notes
    if unlocated > 0 {
      notes.append("\(path): what has no geometry skipped: \(unlocated)")
    }
    if expired > 0 {
      notes.append(
        "\(path): conditions left out whose 'expires' is in the past: \(expired), the first of them "
          + firstExpired)
    }
    guard places.count > expired else {
      let wanted = reader.onlyShapes.map { "is no \($0.rawValue)" } ?? "are no conditions"
      // The notes tell why there are none.
      mistakes += notes
      throw failure("\(path): there \(wanted) in it")
    }
    if unnamed > 0 {
      notes.append(
        "\(path): what has no name (\(unnamed)) is numbered: give it one, as the numbers change when "
          + "something is removed")
    }
    if hashed.count > 0 {
      notes.append(
        "\(path): names without a letter from A to Z (\(hashed.count)) became place- and eight hexadecimal digits: "
          + hashed.text)
    }
    if renamed.count > 0 {
      notes.append(
        "\(path): names that give the same identifier (\(renamed.count)) are told apart by -2, -3, …: "
          + "\(renamed.text); give them \(format == .gpx ? "names of their own" : "ids"), as their "
          + "numbers change when one is removed")
    }
    for (option, isTaken) in takenSizes.sorted(by: { $0.key < $1.key })
    where !isTaken && reader.onlyShapes == nil {
      notes.append("\(path): \(option) changed nothing: all that it is for have one of their own")
    }
    return ConditionsFile(format: format, conditions: conditions, notes: notes)
  }

  private mutating func note(_ line: String) {
    if mistakes.count < FileMistakes.toldLimit {
      mistakes.append(line)
    } else {
      untoldMistakes += 1
    }
  }

  private mutating func identifier(
    of draft: ConditionDraft, at origin: NamedCondition.Origin
  ) throws -> String {
    if reader.onlyShapes != nil { return "\(origin.kind)-\(origin.number)" }
    switch draft.name {
    case .identifier(let identifier):
      guard Identifier.isValid(identifier) else {
        throw ConditionError.identifierInvalid(identifier)
      }
      if let (before, isMade) = places[identifier] {
        throw Mistake(
          isMade
            ? "the identifier '\(identifier)' was given to \(before.kind) \(before.number) on line "
              + "\(before.line), which has none: give it one of its own"
            : "the identifier '\(identifier)' is there twice, first on line \(before.line): "
              + "\(before.kind) \(before.number)")
      }
      return identifier
    case .name(let name):
      if let derived = Identifier.derived(from: name) { return unique(derived, for: name) }
      if name.contains(where: { !$0.isWhitespace }) {
        let identifier = unique(Identifier.hashed(from: name), for: name)
        hashed.add(identifier, for: name)
        return identifier
      }
    case nil: break
    }
    unnamed += 1
    return unique("\(origin.kind)-\(origin.number)", for: nil)
  }

  /// An identifier, or the first of `-2`, `-3`, … appended to it that isn't used yet.
  ///
  /// - Parameter name: The name from which it was made; nil if there was none.
  private mutating func unique(_ identifier: String, for name: String?) -> String {
    guard places[identifier] != nil else { return identifier }
    let stem = String(
      identifier.prefix(Identifier.maximumLength - "-\(ConditionsReader.maximumConditions)".count))
    var number = repetitions[stem, default: 1]
    var candidate: String
    repeat {
      number += 1
      let suffix = "-\(number)"
      candidate = identifier.prefix(Identifier.maximumLength - suffix.count) + suffix
    } while places[candidate] != nil
    repetitions[stem] = number
    renamed.add(candidate, for: name)
    return candidate
  }
}

/// Identifiers made from names: their number, and the names of the first of them.
private struct MadeIdentifiers {
  private(set) var count = 0
  private var told: [String] = []

  /// The largest number of identifiers that are told with their names.
  private static let toldLimit = 20

  mutating func add(_ identifier: String, for name: String?) {
    count += 1
    guard told.count < Self.toldLimit else { return }
    told.append(name.map { "\(identifier) is \(quoted($0))" } ?? identifier)
  }

  /// The identifiers with their names, for people.
  var text: String {
    told.joined(separator: ", ") + (count > told.count ? " and \(count - told.count) more" : "")
  }
}
