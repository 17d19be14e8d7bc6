import Geofencing
package import JSONCoding
import Varlink

/// Read directly from the message, because each part of a change has up to thousands of conditions.
extension Change.Parameters: ScannedParameters {
  private enum Member: String {
    case user, monitor, change, conditions, remove, unfinished, sync, dryRun
  }

  package init(from scanner: inout JSONScanner) throws {
    self.init()
    try scanner.members(Member.self) { scanner, member in
      switch member {
      case .user: user = try required(UInt32(exactly: scanner.requiredWholeNumber()))
      case .monitor: monitor = try scanner.requiredString()
      case .change: change = try scanner.requiredString()
      case .conditions: conditions = try scanner.array { try NewCondition(from: &$0) }
      case .remove: remove = try scanner.array { try $0.requiredString() }
      case .unfinished: unfinished = try scanner.requiredFlag()
      case .sync: sync = try scanner.requiredFlag()
      case .dryRun: dryRun = try scanner.requiredFlag()
      }
    }
  }
}

extension NewCondition {
  private enum Member: String {
    case identifier, condition, assuming
  }

  fileprivate init(from scanner: inout JSONScanner) throws {
    var identifier: String?
    var condition: Condition?
    var assuming: ConditionState?
    try scanner.members(Member.self) { scanner, member in
      switch member {
      case .identifier: identifier = try scanner.requiredString()
      case .condition: condition = try Condition(from: &scanner)
      case .assuming:
        assuming = try required(ConditionState(rawValue: scanner.requiredString()))
      }
    }
    self.init(
      identifier: try required(identifier), condition: try required(condition),
      assuming: assuming)
  }
}

extension JSONScanner {
  /// Enters the next value, an object, and calls the closure for each member: it has to read or skip the value.
  ///
  /// Members that are `null` are left out.
  ///
  /// - Parameter names: The allowed names; any other name is a mistake, whatever its value.
  /// - Throws: Also if a name occurs twice, as only a decoder knows which member counts.
  mutating func members<Name: RawRepresentable<String> & Equatable>(
    _ names: Name.Type, _ body: (inout JSONScanner, Name) throws -> Void
  ) throws {
    var seen: [Name] = []
    try eachMember { scanner, key in
      let name = try required(Name(rawValue: key))
      guard !seen.contains(name) else { throw UnexpectedForm() }
      seen.append(name)
      if try !scanner.takeNull() { try body(&scanner, name) }
    }
  }
}
