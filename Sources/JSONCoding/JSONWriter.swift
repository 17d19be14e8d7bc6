/// Writes JSON in the form of ``CanonicalJSON``, directly as bytes.
///
/// It takes a tenth of the time of an `Encoder`. It is for what is written between a fix and the events that are told
/// of it, and for very many conditions. The caller has to write the members of an object in the order of their names.
package struct JSONWriter {
  private var bytes: [UInt8] = []

  /// Whether the last thing written is a value, so that a comma has to follow before the next one.
  private var isBehindValue = false

  /// Whether a number was infinite or NaN, which JSON doesn't have.
  private var isInvalid = false

  /// Makes a writer with room for about so many bytes.
  package init(capacity: Int = 512) {
    bytes.reserveCapacity(capacity)
  }

  /// The JSON that was written; nil if there was a number that isn't finite.
  package consuming func text() -> String? {
    isInvalid ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of the JSON that was written.
  ///
  /// - Throws: `EncodingError` if there was a number that isn't finite.
  package consuming func written() throws -> [UInt8] {
    guard !isInvalid else {
      throw EncodingError.invalidValue(
        Double.nan,
        EncodingError.Context(codingPath: [], debugDescription: "a number isn't finite"))
    }
    return bytes
  }

  // MARK: Values

  /// Writes any value with an encoder, which takes longer than the other methods.
  package mutating func write(encoding value: some Encodable) throws {
    separate()
    bytes += try CanonicalJSON.encode(value)
  }

  /// Writes a value that is already encoded as JSON.
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
    // The standard library writes at least one decimal place, as in "1.0".
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

  /// Writes the name of a member; its value has to be written next.
  ///
  /// The name must not have characters that need to be escaped.
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

  /// Writes a member, or nothing if the value is nil.
  package mutating func member(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    self.name(name)
    write(value)
  }

  /// Writes a member, or nothing if the value is nil.
  package mutating func member(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    self.name(name)
    write(value)
  }

  /// Writes a member, or nothing if the value is nil.
  package mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    write(value)
  }

  /// Writes a member with an encoder, which takes longer, or nothing if the value is nil.
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
