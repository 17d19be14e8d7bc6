/// A value that SQLite stores: bound to a statement, or read from a column of a row.
package enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)

  /// A number; SQLite stores NaN as ``null``.
  case real(Double)

  /// A text, which may contain any character, even NUL; when read, bytes that aren't UTF-8 are replaced.
  case text(String)

  case blob([UInt8])
}

extension SQLiteValue {
  /// The number, or NULL for nil.
  package static func integer(_ value: Int64?) -> SQLiteValue {
    value.map { .integer($0) } ?? .null
  }

  /// The number, or NULL for nil.
  package static func real(_ value: Double?) -> SQLiteValue {
    value.map { .real($0) } ?? .null
  }

  /// The text, or NULL for nil.
  package static func text(_ value: String?) -> SQLiteValue {
    value.map { .text($0) } ?? .null
  }

  /// The whole number; nil for anything else.
  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The text; nil for anything else.
  package var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The bytes; nil for anything else.
  package var blob: [UInt8]? {
    if case .blob(let value) = self { value } else { nil }
  }

  var kind: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "a text"
    case .blob: "a blob"
    }
  }
}

extension SQLiteValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
}
