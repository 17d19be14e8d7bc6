/// Reading values whose form is known; a value of another form is a ``JSONMistake``.
extension JSONScanner {
  /// Begins to read bytes that are all in memory.
  package init(
    _ bytes: [UInt8], maximumDepth: Int = 64, maximumOtherText: Int = .max
  ) throws {
    var rest: [UInt8]? = bytes
    try self.init(maximumDepth: maximumDepth, maximumOtherText: maximumOtherText) { buffer in
      if let bytes = rest { buffer = buffer.isEmpty ? bytes : buffer + bytes }
      rest = nil
    }
  }

  /// Reads the next value, a string.
  package mutating func requiredString() throws -> String {
    guard try kind() == .string else { throw mistake("expected a text") }
    return try string()
  }

  /// Reads the next value, a number.
  package mutating func requiredNumber() throws -> Double {
    guard try kind() == .number, let number = try number() else {
      throw mistake("expected a number that isn't too large")
    }
    return number
  }

  /// Reads the next value, a whole number.
  package mutating func requiredWholeNumber() throws -> Int64 {
    guard try kind() == .number, let number = try wholeNumber() else {
      throw mistake("expected a whole number that isn't too large")
    }
    return number
  }

  /// Reads the next value, `true` or `false`.
  package mutating func requiredFlag() throws -> Bool {
    guard try kind() == .word, let flag = try word() else {
      throw mistake("expected true or false")
    }
    return flag
  }

  /// Whether the next value is `null`, which is passed in that case.
  package mutating func takeNull() throws -> Bool {
    guard try kind() == .word, try current() == UInt8(ascii: "n") else { return false }
    return try word() == nil
  }

  /// Enters the next value, an object, and calls the closure for each member: it has to read or skip the value.
  package mutating func eachMember(
    _ body: (inout JSONScanner, _ name: String) throws -> Void
  ) throws {
    guard try kind() == .object else { throw mistake("expected an object") }
    try enter()
    while let name = try nextKey() { try body(&self, name) }
  }

  /// Reads the next value, an array, whose elements the closure reads.
  package mutating func array<Element>(
    _ element: (inout JSONScanner) throws -> Element
  ) throws -> [Element] {
    guard try kind() == .array else { throw mistake("expected an array") }
    try enter()
    var elements: [Element] = []
    while try nextElement() { elements.append(try element(&self)) }
    return elements
  }

  /// Reads the first two numbers of the next value, an array; further numbers in it are passed.
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

/// Thrown by a scan that gives up; a decoder then says what is wrong.
package struct UnexpectedForm: Error {
  package init() {}
}

/// The value; throws ``UnexpectedForm`` if it is nil.
package func required<Value>(_ value: Value?) throws(UnexpectedForm) -> Value {
  guard let value else { throw UnexpectedForm() }
  return value
}
