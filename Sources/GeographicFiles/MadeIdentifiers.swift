import CommandLineParsing

/// Identifiers that aren't the names that a file gives: how many, and what some of them stand for.
struct MadeIdentifiers {
  private(set) var count = 0
  private var told: [String] = []

  /// How many are told with their names.
  private static let toldLimit = 20

  mutating func add(_ identifier: String, for name: String?) {
    count += 1
    guard told.count < Self.toldLimit else { return }
    told.append(name.map { "\(identifier) is \(quoted($0))" } ?? identifier)
  }

  /// What they stand for, for a person.
  var text: String {
    told.joined(separator: ", ") + (count > told.count ? " and \(count - told.count) more" : "")
  }
}
