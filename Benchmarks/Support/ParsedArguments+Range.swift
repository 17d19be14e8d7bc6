package import CommandLineParsing

extension ParsedArguments {
  /// The value of an `.integer`, given or by default; throws a usage error if it is out of range.
  package func requiredInteger(
    _ name: String, in range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    let number = try required(name, integer(name))
    guard range.contains(number) else {
      throw usageError(
        "--\(name) wants a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "got '\(number)'")
    }
    return number
  }
}
