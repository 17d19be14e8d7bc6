import FoundationEssentials

/// Any name of a member of a JSON object.
private struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A message whose parameters were found to match a type.
struct CheckedMessage: DecodableWithConfiguration {
  init(from decoder: any Decoder, configuration: CheckedValue.Expectation) throws {
    let container = try decoder.container(keyedBy: MemberName.self)
    let key = MemberName(stringValue: "parameters")
    if container.contains(key), try !container.decodeNil(forKey: key) {
      _ = try container.decode(CheckedValue.self, forKey: key, configuration: configuration)
    } else if case .structure(let fields) = configuration.type,
      let missing = fields.first(where: { !$0.type.isOptional })
    {
      throw VarlinkError.invalidParameter(
        missing.name, message: "parameter '\(missing.name)' is missing")
    }
  }
}

/// A JSON value that was found to match a type of an interface description.
///
/// Decoding keeps nothing: it is a walk through the value, led by the type.
struct CheckedValue: DecodableWithConfiguration {
  /// The type to match, and the named types it may refer to.
  struct Expectation {
    var type: VarlinkType
    let types: [String: VarlinkType]

    func of(_ type: VarlinkType) -> Expectation {
      Expectation(type: type, types: types)
    }
  }

  init(from decoder: any Decoder, configuration: Expectation) throws {
    switch configuration.type {
    case .bool: _ = try decoder.singleValueContainer().decode(Bool.self)
    case .int:
      try Self.naming(decoder.codingPath, Self.noInteger) {
        _ = try decoder.singleValueContainer().decode(Int64.self)
      }
    case .float:
      try Self.naming(decoder.codingPath, Self.tooLarge) {
        _ = try decoder.singleValueContainer().decode(Double.self)
      }
    case .string: _ = try decoder.singleValueContainer().decode(String.self)
    case .object: _ = try decoder.container(keyedBy: MemberName.self)
    case .optional(let type):
      if try !decoder.singleValueContainer().decodeNil() {
        _ = try CheckedValue(from: decoder, configuration: configuration.of(type))
      }
    case .named(let name):
      // The reader of descriptions has made sure that every name is defined.
      guard let type = configuration.types[name] else { return }
      _ = try CheckedValue(from: decoder, configuration: configuration.of(type))
    case .array(let element): try Self.checkElements(of: decoder, configuration.of(element))
    case .map(let value): try Self.checkValues(of: decoder, configuration.of(value))
    case .enumeration(let names): try Self.checkName(of: decoder, isOneOf: names)
    case .structure(let fields): try Self.check(fields, of: decoder, configuration)
    }
  }

  /// Checks one member; those of the plainest types as what they are, which is much faster.
  private static func check(
    _ type: VarlinkType, of key: MemberName, in container: KeyedDecodingContainer<MemberName>,
    _ expectation: Expectation
  ) throws {
    switch type {
    case .float:
      try naming(container.codingPath + [key], tooLarge) {
        _ = try container.decode(Double.self, forKey: key)
      }
    case .string: _ = try container.decode(String.self, forKey: key)
    case .int:
      try naming(container.codingPath + [key], noInteger) {
        _ = try container.decode(Int64.self, forKey: key)
      }
    case .bool: _ = try container.decode(Bool.self, forKey: key)
    case .optional(let type):
      if try !container.decodeNil(forKey: key) {
        try check(type, of: key, in: container, expectation)
      }
    default:
      _ = try container.decode(
        CheckedValue.self, forKey: key, configuration: expectation.of(type))
    }
  }

  private static let tooLarge = "is out of range"
  private static let noInteger = "is out of range, or isn't whole"

  /// Says of a number that the decoder can't read where it is, which the decoder doesn't.
  private static func naming(
    _ path: @autoclosure () -> [any CodingKey], _ problem: String, _ decode: () throws -> Void
  ) throws {
    do {
      try decode()
    } catch let error where !(error is DecodingError) {
      // It is an error of the decoder's own; the text was found to be JSON, so nothing else is wrong.
      let name = parameterPath(path())
      throw VarlinkError.invalidParameter(name, message: "parameter '\(name)' \(problem)")
    }
  }

  private static func checkElements(of decoder: any Decoder, _ element: Expectation) throws {
    if case .float = element.type {
      return try naming(decoder.codingPath, "has a number that is out of range") {
        _ = try decoder.singleValueContainer().decode([Double].self)
      }
    }
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      _ = try container.decode(CheckedValue.self, configuration: element)
    }
  }

  private static func checkValues(of decoder: any Decoder, _ value: Expectation) throws {
    let container = try decoder.container(keyedBy: MemberName.self)
    for key in container.allKeys {
      _ = try container.decode(CheckedValue.self, forKey: key, configuration: value)
    }
  }

  private static func checkName(of decoder: any Decoder, isOneOf names: [String]) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard names.contains(name) else {
      let path = parameterPath(decoder.codingPath)
      throw VarlinkError.invalidParameter(
        path, message: "parameter '\(path)' must be one of: \(names.joined(separator: ", "))")
    }
  }

  private static func check(
    _ fields: [VarlinkType.Field], of decoder: any Decoder, _ expectation: Expectation
  ) throws {
    let container = try decoder.container(keyedBy: MemberName.self)
    let members = container.allKeys
    // The least, so that of several unknown members always the same one is told. There are few of
    // both: looking through them is faster than any table.
    let unknown = members.lazy.map(\.stringValue)
      .filter { name in !fields.contains { $0.name == name } }.min()
    if let unknown {
      let path = parameterPath(decoder.codingPath + [MemberName(stringValue: unknown)])
      throw VarlinkError.invalidParameter(path, message: "there is no parameter '\(path)'")
    }
    for field in fields {
      guard let key = members.first(where: { $0.stringValue == field.name }) else {
        if field.type.isOptional { continue }
        throw DecodingError.keyNotFound(
          MemberName(stringValue: field.name),
          DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "missing"))
      }
      try check(field.type, of: key, in: container, expectation)
    }
  }
}

extension VarlinkType {
  var isOptional: Bool {
    if case .optional = self { true } else { false }
  }
}

extension DecodingError {
  /// The error that tells a caller which parameter is wrong, and how.
  var asInvalidParameter: VarlinkError {
    switch self {
    case .keyNotFound(let key, let context):
      let path = parameterPath(context.codingPath + [key])
      return .invalidParameter(path, message: "parameter '\(path)' is missing")
    case .valueNotFound(_, let context):
      let path = parameterPath(context.codingPath)
      return .invalidParameter(path, message: "parameter '\(path)' must not be null")
    case .typeMismatch(let type, let context):
      let path = parameterPath(context.codingPath)
      return .invalidParameter(
        path, message: "parameter '\(path)' must be \(nameOfJSONType(type))")
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      // The decoder doesn't say where it is.
      return .invalidParameter(
        "",
        message:
          "a text can't be read, or a number is out of range, or isn't whole, as in a user below 0")
    case .dataCorrupted(let context):
      let path = parameterPath(context.codingPath)
      return .invalidParameter(
        path, message: "parameter '\(path)' is not valid: \(context.debugDescription)")
    @unknown default:
      return .invalidParameter("", message: "the parameters are not valid")
    }
  }
}

/// The name of a parameter as people write it, for example `points[2].latitude`.
private func parameterPath(_ path: [any CodingKey]) -> String {
  var text = ""
  for (position, key) in path.enumerated() {
    if position == 0, key.stringValue == "parameters" { continue }
    if let index = key.intValue {
      text += "[\(index)]"
    } else {
      text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
    }
  }
  return text
}

private func nameOfJSONType(_ type: any Any.Type) -> String {
  switch type {
  case is Bool.Type: "true or false"
  case is any BinaryInteger.Type: "an integer"
  case is any BinaryFloatingPoint.Type: "a number"
  case is String.Type: "a string"
  case is [Any].Type: "an array"
  default: "an object"
  }
}
