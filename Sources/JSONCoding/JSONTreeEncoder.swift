/// Collects what one value encodes.
///
/// It does without what ``CanonicalJSON`` has no use for (strategies, user information, coding paths),
/// and takes a fraction of the time of Foundation's encoder: events are encoded between a fix and what
/// is told of it.
final class JSONTreeEncoder: Encoder {
  private(set) var tree: JSONTree?

  init(tree: JSONTree? = nil) {
    self.tree = tree
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The tree of a value; one that encodes nothing is an empty object.
  static func tree(of value: some Encodable) throws -> JSONTree {
    let encoder = JSONTreeEncoder()
    try value.encode(to: encoder)
    return encoder.tree ?? .object(JSONTree.Members())
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A type may ask twice, as one that inherits does, and means the same object.
    if case .object(let members) = tree {
      return KeyedEncodingContainer(JSONMembersContainer(members: members))
    }
    let members = JSONTree.Members()
    tree = .object(members)
    return KeyedEncodingContainer(JSONMembersContainer(members: members))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array(let elements) = tree { return JSONElementsContainer(elements: elements) }
    let elements = JSONTree.Elements()
    tree = .array(elements)
    return JSONElementsContainer(elements: elements)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// The tree of a number.
  ///
  /// - Throws: `EncodingError`: JSON has no infinity and no NaN.
  static func tree(ofNumber value: Double) throws -> JSONTree {
    guard value.isFinite else { throw noNumber(value) }
    return .number(value)
  }

  /// The tree of a number, as ``tree(ofNumber:)-(Double)``.
  static func tree(ofNumber value: Float) throws -> JSONTree {
    guard value.isFinite else { throw noNumber(value) }
    return .short(value)
  }

  private static func noNumber(_ value: Any) -> EncodingError {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(codingPath: [], debugDescription: "\(value) is no number in JSON"))
  }
}

extension JSONTreeEncoder: SingleValueEncodingContainer {
  func encodeNil() { tree = .null }
  func encode(_ value: Bool) { tree = .bool(value) }
  func encode(_ value: String) { tree = .text(value) }
  func encode(_ value: Double) throws { tree = try Self.tree(ofNumber: value) }
  func encode(_ value: Float) throws { tree = try Self.tree(ofNumber: value) }
  func encode(_ value: Int) { tree = .integer(Int64(value)) }
  func encode(_ value: Int8) { tree = .integer(Int64(value)) }
  func encode(_ value: Int16) { tree = .integer(Int64(value)) }
  func encode(_ value: Int32) { tree = .integer(Int64(value)) }
  func encode(_ value: Int64) { tree = .integer(value) }
  func encode(_ value: UInt) { tree = .unsigned(UInt64(value)) }
  func encode(_ value: UInt8) { tree = .integer(Int64(value)) }
  func encode(_ value: UInt16) { tree = .integer(Int64(value)) }
  func encode(_ value: UInt32) { tree = .integer(Int64(value)) }
  func encode(_ value: UInt64) { tree = .unsigned(value) }
  func encode(_ value: some Encodable) throws { tree = try Self.tree(of: value) }
}

/// Adds members to an object.
private struct JSONMembersContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let members: JSONTree.Members

  var codingPath: [any CodingKey] { [] }

  private func add(_ value: JSONTree, _ key: some CodingKey) {
    members.list.append((key.stringValue, value))
  }

  func encodeNil(forKey key: Key) { add(.null, key) }
  func encode(_ value: Bool, forKey key: Key) { add(.bool(value), key) }
  func encode(_ value: String, forKey key: Key) { add(.text(value), key) }
  func encode(_ value: Double, forKey key: Key) throws {
    add(try JSONTreeEncoder.tree(ofNumber: value), key)
  }
  func encode(_ value: Float, forKey key: Key) throws {
    add(try JSONTreeEncoder.tree(ofNumber: value), key)
  }
  func encode(_ value: Int, forKey key: Key) { add(.integer(Int64(value)), key) }
  func encode(_ value: Int8, forKey key: Key) { add(.integer(Int64(value)), key) }
  func encode(_ value: Int16, forKey key: Key) { add(.integer(Int64(value)), key) }
  func encode(_ value: Int32, forKey key: Key) { add(.integer(Int64(value)), key) }
  func encode(_ value: Int64, forKey key: Key) { add(.integer(value), key) }
  func encode(_ value: UInt, forKey key: Key) { add(.unsigned(UInt64(value)), key) }
  func encode(_ value: UInt8, forKey key: Key) { add(.integer(Int64(value)), key) }
  func encode(_ value: UInt16, forKey key: Key) { add(.integer(Int64(value)), key) }
  func encode(_ value: UInt32, forKey key: Key) { add(.integer(Int64(value)), key) }
  func encode(_ value: UInt64, forKey key: Key) { add(.unsigned(value), key) }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    add(try JSONTreeEncoder.tree(of: value), key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    let nested = JSONTree.Members()
    add(.object(nested), key)
    return KeyedEncodingContainer(JSONMembersContainer<NestedKey>(members: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let nested = JSONTree.Elements()
    add(.array(nested), key)
    return JSONElementsContainer(elements: nested)
  }

  // Only classes that inherit ask for these: what they inherit is an object of its own.
  func superEncoder() -> any Encoder {
    let nested = JSONTree.Members()
    members.list.append(("super", .object(nested)))
    return JSONTreeEncoder(tree: .object(nested))
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    let nested = JSONTree.Members()
    add(.object(nested), key)
    return JSONTreeEncoder(tree: .object(nested))
  }
}

/// Adds elements to an array.
private struct JSONElementsContainer: UnkeyedEncodingContainer {
  let elements: JSONTree.Elements

  var codingPath: [any CodingKey] { [] }
  var count: Int { elements.list.count }

  private func add(_ value: JSONTree) { elements.list.append(value) }

  func encodeNil() { add(.null) }
  func encode(_ value: Bool) { add(.bool(value)) }
  func encode(_ value: String) { add(.text(value)) }
  func encode(_ value: Double) throws { add(try JSONTreeEncoder.tree(ofNumber: value)) }
  func encode(_ value: Float) throws { add(try JSONTreeEncoder.tree(ofNumber: value)) }
  func encode(_ value: Int) { add(.integer(Int64(value))) }
  func encode(_ value: Int8) { add(.integer(Int64(value))) }
  func encode(_ value: Int16) { add(.integer(Int64(value))) }
  func encode(_ value: Int32) { add(.integer(Int64(value))) }
  func encode(_ value: Int64) { add(.integer(value)) }
  func encode(_ value: UInt) { add(.unsigned(UInt64(value))) }
  func encode(_ value: UInt8) { add(.integer(Int64(value))) }
  func encode(_ value: UInt16) { add(.integer(Int64(value))) }
  func encode(_ value: UInt32) { add(.integer(Int64(value))) }
  func encode(_ value: UInt64) { add(.unsigned(value)) }
  func encode(_ value: some Encodable) throws { add(try JSONTreeEncoder.tree(of: value)) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    let nested = JSONTree.Members()
    add(.object(nested))
    return KeyedEncodingContainer(JSONMembersContainer<NestedKey>(members: nested))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let nested = JSONTree.Elements()
    add(.array(nested))
    return JSONElementsContainer(elements: nested)
  }

  func superEncoder() -> any Encoder {
    let nested = JSONTree.Members()
    add(.object(nested))
    return JSONTreeEncoder(tree: .object(nested))
  }
}
