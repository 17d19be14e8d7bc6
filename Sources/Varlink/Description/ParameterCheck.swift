import JSONCoding

/// Walks through the parameters of a message and checks them against a type.
///
/// It keeps only its position in the message.
struct ParameterCheck {
  private var scanner: JSONScanner
  private let types: [String: VarlinkType]
  private var path: [ParameterStep] = []

  /// Checks a message, known to be an object, against a type that may refer to named types.
  ///
  /// - Throws: a ``VarlinkError`` that says what doesn't match, or a `JSONMistake`.
  static func check(
    _ message: [UInt8], against type: VarlinkType, types: [String: VarlinkType]
  ) throws {
    var check = ParameterCheck(scanner: try JSONScanner(message), types: types)
    try check.checkParameters(type)
  }

  private mutating func checkParameters(_ type: VarlinkType) throws {
    guard try scanner.kind() == .object else { throw refusal("must be an object") }
    try scanner.enter()
    while let key = try scanner.nextKey() {
      guard key == "parameters" else {
        try scanner.skip()
        continue
      }
      // Of members with the same name the first counts, as for a decoder.
      guard try scanner.kind() == .word else { return try check(type) }
      guard try scanner.word() == nil else { throw refusal("must be \(kind(of: type))") }
      break
    }
    // Absent parameters, and null, count as an empty object.
    if case .structure(let fields) = type { try checkNoneIsMissing(of: fields) }
  }

  /// Checks the next value.
  private mutating func check(_ type: VarlinkType) throws {
    switch (type, try scanner.kind()) {
    case (.optional(let type), .word):
      let word = try scanner.word()
      guard word == nil || type == .bool else { throw refusal("must be \(kind(of: type))") }
    case (.optional(let type), _): try check(type)
    case (.named(let name), _):
      // The reader of descriptions has checked that every name is defined.
      if let type = types[name] { try check(type) }
    case (_, .word):
      guard try scanner.word() != nil else { throw refusal("must not be null") }
      guard type == .bool else { throw refusal("must be \(kind(of: type))") }
    case (.int, .number):
      let text = try scanner.numberText()
      // For a decoder 7.0 and 7e3 are whole numbers, too.
      let isWhole =
        text.contains { ".eE".contains($0) }
        && Double(text).flatMap { Int64(exactly: $0) } ?? .min > .min
      guard Int64(text) != nil || isWhole else { throw refusal("is out of range, or isn't whole") }
    case (.float, .number):
      guard try scanner.number() == nil else { return }
      guard case .element? = path.last else { throw refusal("is out of range") }
      path.removeLast()
      throw refusal("has a number that is out of range")
    case (.string, .string), (.object, .object): try scanner.skip()
    case (.enumeration(let names), .string):
      guard names.contains(try scanner.string()) else {
        throw refusal("must be one of: \(names.joined(separator: ", "))")
      }
    case (.array(let element), .array):
      try scanner.enter()
      var index = 0
      while try scanner.nextElement() {
        try check(element, at: .element(index))
        index += 1
      }
    case (.map(let value), .object):
      try scanner.enter()
      var seen: Set<String> = []
      while let key = try scanner.nextKey() {
        if seen.insert(key).inserted {
          try check(value, at: .member(key))
        } else {
          try scanner.skip()
        }
      }
    case (.structure(let fields), .object): try checkMembers(fields)
    default: throw refusal("must be \(kind(of: type))")
    }
  }

  private mutating func check(_ type: VarlinkType, at step: ParameterStep) throws {
    path.append(step)
    try check(type)
    path.removeLast()
  }

  private mutating func checkMembers(_ fields: [VarlinkType.Field]) throws {
    var missing = fields
    try scanner.enter()
    while let name = try scanner.nextKey() {
      if let index = missing.firstIndex(where: { $0.name == name }) {
        try check(missing.remove(at: index).type, at: .member(name))
      } else if fields.contains(where: { $0.name == name }) {
        try scanner.skip()
      } else {
        // The name may be as long as the message, and contain anything.
        let shown = name.unicodeScalars.prefix(60).filter {
          $0.properties.generalCategory != .control
        }
        let name = (path + [.member(String(String.UnicodeScalarView(shown)))]).parameterName
        throw VarlinkError.invalidParameter(name, message: "there is no parameter '\(name)'")
      }
    }
    try checkNoneIsMissing(of: missing)
  }

  private func checkNoneIsMissing(of fields: [VarlinkType.Field]) throws {
    guard let field = fields.first(where: { !$0.type.isOptional }) else { return }
    throw VarlinkError.invalidParameter(at: path + [.member(field.name)], "is missing")
  }

  private func refusal(_ problem: String) -> VarlinkError {
    .invalidParameter(at: path, problem)
  }

  /// The JSON values of a type, in words.
  private func kind(of type: VarlinkType) -> String {
    switch type {
    case .bool: "true or false"
    case .int: "an integer"
    case .float: "a number"
    case .string, .enumeration: "a string"
    case .array: "an array"
    case .object, .map, .structure: "an object"
    case .optional(let type): kind(of: type)
    case .named(let name): types[name].map(kind) ?? "an object"
    }
  }
}
