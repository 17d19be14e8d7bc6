import Geofencing
package import JSONCoding
import Varlink

/// A change has up to thousands of conditions in each of its parts.
extension Change.Parameters: ScannedParameters {
  private static let names = [
    "user", "monitor", "change", "conditions", "remove", "unfinished", "sync", "dryRun",
  ]

  package init(from scanner: inout JSONScanner) throws {
    self.init()
    try scanner.members(Self.names) { scanner, key in
      switch key {
      case "user": user = try required(UInt32(exactly: scanner.requiredWholeNumber()))
      case "monitor": monitor = try scanner.requiredString()
      case "change": change = try scanner.requiredString()
      case "conditions": conditions = try scanner.array { try NewCondition(from: &$0) }
      case "remove": remove = try scanner.array { try $0.requiredString() }
      default: throw UnexpectedForm()
      }
    } flag: { key, value in
      switch key {
      case "unfinished": unfinished = value
      case "sync": sync = value
      case "dryRun": dryRun = value
      default: throw UnexpectedForm()
      }
    }
  }
}

extension NewCondition {
  private static let names = ["identifier", "condition", "assuming"]

  fileprivate init(from scanner: inout JSONScanner) throws {
    var identifier: String?
    var condition: Condition?
    var assuming: ConditionState?
    try scanner.members(Self.names) { scanner, key in
      switch key {
      case "identifier": identifier = try scanner.requiredString()
      case "condition": condition = try Condition(from: &scanner)
      case "assuming":
        assuming = try required(ConditionState(rawValue: scanner.requiredString()))
      default: throw UnexpectedForm()
      }
    }
    self.init(
      identifier: try required(identifier), condition: try required(condition),
      assuming: assuming)
  }
}

extension JSONScanner {
  /// Hands over the members of the object that comes next, each in front of its value.
  ///
  /// Members that are `null` are left out.
  ///
  /// - Parameters:
  ///   - names: what may be there; another name is a mistake, whatever its value.
  ///   - flag: is given the members that are `true` and `false`.
  /// - Throws: also for a member that is there twice, of which only a decoder knows which one counts.
  mutating func members(
    _ names: [String], _ body: (inout JSONScanner, _ key: String) throws -> Void,
    flag: (_ key: String, Bool) throws -> Void = { _, _ in throw UnexpectedForm() }
  ) throws {
    var keys: [String] = []
    try eachMember { scanner, key in
      guard names.contains(key) else { throw scanner.mistake("unexpected '\(key)'") }
      guard !keys.contains(key) else { throw scanner.mistake("'\(key)' is there twice") }
      keys.append(key)
      if try scanner.kind() == .word {
        if let value = try scanner.word() { try flag(key, value) }
      } else {
        try body(&scanner, key)
      }
    }
  }
}
