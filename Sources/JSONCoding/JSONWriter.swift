/// Writes JSON in the form of ``CanonicalJSON`` from beginning to end, without collecting it first.
///
/// For what is written between a fix and what is told of it, and for very many conditions: in a tenth of the
/// time of an `Encoder`. Whoever uses it writes an object's members in the order of their names.
package struct JSONWriter {
  private var bytes: [UInt8] = []

  /// Whether what comes next stands behind a value.
  private var isBehindValue = false

  /// Whether a number was infinite or none, which JSON doesn't have.
  private var isInvalid = false

  /// A writer of a value of about so many bytes.
  package init(capacity: Int = 512) {
    bytes.reserveCapacity(capacity)
  }

  /// What was written; nil when there was a number that JSON doesn't have.
  package consuming func text() -> String? {
    isInvalid ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of what was written.
  ///
  /// - Throws: `EncodingError` when there was a number that JSON doesn't have.
  package consuming func written() throws -> [UInt8] {
    guard !isInvalid else {
      throw EncodingError.invalidValue(
        Double.nan,
        EncodingError.Context(codingPath: [], debugDescription: "a number isn't finite"))
    }
    return bytes
  }

  // MARK: Values

  /// Writes whatever a value encodes, in the time that takes.
  package mutating func write(encoding value: some Encodable) throws {
    separate()
    bytes += try CanonicalJSON.encode(value)
  }

  /// Writes a value that is JSON already.
  package mutating func write(json text: String) {
    separate()
    bytes += text.utf8
  }

  package mutating func write(_ value: Bool) {
    separate()
    append(value ? "true" : "false")
  }

  package mutating func write(_ value: Int) {
    separate()
    bytes += value.description.utf8
  }

  /// Writes a number with the fewest digits that give the same number again.
  package mutating func write(_ value: Double) {
    separate()
    guard value.isFinite else {
      isInvalid = true
      return
    }
    bytes += value.description.utf8
    // The standard library writes two digits at least.
    if bytes.suffix(2).elementsEqual(".0".utf8) { bytes.removeLast(2) }
  }

  package mutating func write(_ value: String) {
    separate()
    StringText.append(value, to: &bytes)
  }

  /// Writes an object, whose members the closure writes.
  package mutating func object(_ write: (inout JSONWriter) throws -> Void) rethrows {
    separate()
    open("{")
    try write(&self)
    close("}")
  }

  /// Writes an array, whose elements the closure writes.
  package mutating func array(_ write: (inout JSONWriter) throws -> Void) rethrows {
    separate()
    open("[")
    try write(&self)
    close("]")
  }

  /// Writes an array of pairs of numbers.
  package mutating func pairs<Element>(
    _ elements: [Element], _ numbers: (Element) -> (Double, Double)
  ) {
    array { writer in
      for element in elements {
        let pair = numbers(element)
        writer.array { writer in
          writer.write(pair.0)
          writer.write(pair.1)
        }
      }
    }
  }

  // MARK: Members

  /// Writes the name of a member, whose value is written next.
  ///
  /// It has nothing to escape in it.
  package mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    append(name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    isBehindValue = false
  }

  package mutating func member(_ name: StaticString, _ value: Bool) {
    self.name(name)
    write(value)
  }

  /// Writes a member; nil is left out.
  package mutating func member(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    self.name(name)
    write(value)
  }

  /// Writes a member; nil is left out.
  package mutating func member(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    self.name(name)
    write(value)
  }

  /// Writes a member; nil is left out.
  package mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    write(value)
  }

  /// Writes a member in the time that an encoder takes; nil is left out.
  package mutating func member(_ name: StaticString, encoding value: (some Encodable)?) throws {
    guard let value else { return }
    self.name(name)
    try write(encoding: value)
  }

  // MARK: Bytes

  private mutating func separate() {
    if isBehindValue { bytes.append(UInt8(ascii: ",")) }
    isBehindValue = true
  }

  private mutating func open(_ brace: Unicode.Scalar) {
    bytes.append(UInt8(ascii: brace))
    isBehindValue = false
  }

  private mutating func close(_ brace: Unicode.Scalar) {
    bytes.append(UInt8(ascii: brace))
    isBehindValue = true
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }
}
