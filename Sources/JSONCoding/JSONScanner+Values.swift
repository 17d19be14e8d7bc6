/// Values of a known form, for who reads bytes that it or a check has found to have it.
extension JSONScanner {
  /// Begins to read bytes that are all there.
  package init(
    _ bytes: [UInt8], maximumDepth: Int = 64, maximumOtherText: Int = .max
  ) throws {
    var rest: [UInt8]? = bytes
    try self.init(maximumDepth: maximumDepth, maximumOtherText: maximumOtherText) { buffer in
      if let bytes = rest { buffer = buffer.isEmpty ? bytes : buffer + bytes }
      rest = nil
    }
  }

  /// The text that comes next.
  package mutating func requiredString() throws -> String {
    guard try kind() == .string else { throw mistake("expected a text") }
    return try string()
  }

  /// The number that comes next.
  package mutating func requiredNumber() throws -> Double {
    guard try kind() == .number, let number = try number() else {
      throw mistake("expected a number that isn't too large")
    }
    return number
  }

  /// The whole number that comes next.
  package mutating func requiredWholeNumber() throws -> Int64 {
    guard try kind() == .number, let number = try wholeNumber() else {
      throw mistake("expected a whole number that isn't too large")
    }
    return number
  }

  /// The flag that comes next.
  package mutating func requiredFlag() throws -> Bool {
    guard try kind() == .word, let flag = try word() else {
      throw mistake("expected true or false")
    }
    return flag
  }

  /// Whether `null` comes next, which is passed then.
  package mutating func takeNull() throws -> Bool {
    guard try kind() == .word, try current() == UInt8(ascii: "n") else { return false }
    return try word() == nil
  }

  /// Hands over the members of the object that comes next, each in front of its value.
  package mutating func eachMember(
    _ body: (inout JSONScanner, _ name: String) throws -> Void
  ) throws {
    guard try kind() == .object else { throw mistake("expected an object") }
    try enter()
    while let name = try nextKey() { try body(&self, name) }
  }

  /// The array that comes next, its elements read by a closure.
  package mutating func array<Element>(
    _ element: (inout JSONScanner) throws -> Element
  ) throws -> [Element] {
    guard try kind() == .array else { throw mistake("expected an array") }
    try enter()
    var elements: [Element] = []
    while try nextElement() { elements.append(try element(&self)) }
    return elements
  }

  /// The first two numbers of the array that comes next; numbers behind them are passed.
  package mutating func pair() throws -> (Double, Double) {
    guard try kind() == .array else { throw mistake("expected an array of two numbers") }
    try enter()
    guard try nextElement() else { throw mistake("expected a number") }
    let first = try requiredNumber()
    guard try nextElement() else { throw mistake("expected a second number") }
    let second = try requiredNumber()
    while try nextElement() { _ = try requiredNumber() }
    return (first, second)
  }
}

/// Why a scan gives up, and leaves it to a decoder to say what is wrong.
package struct UnexpectedForm: Error {
  package init() {}
}

/// A value that has to be there.
package func required<Value>(_ value: Value?) throws(UnexpectedForm) -> Value {
  guard let value else { throw UnexpectedForm() }
  return value
}
