extension VarlinkDescription {
  /// Reads an interface description.
  ///
  /// - Throws: the first mistake, with its line.
  package init(text: String) throws(VarlinkDescriptionError) {
    var reader = DescriptionReader(text)
    try reader.readInterface()
    self.init(
      name: reader.name, text: text, types: reader.types, methods: reader.methods,
      errors: reader.errors)
  }
}

/// Reads the language of interface descriptions (https://varlink.org/Interface-Definition).
private struct DescriptionReader {
  var name = ""
  var types: [String: VarlinkType] = [:]
  var methods: [String: VarlinkDescription.Method] = [:]
  var errors: [String: VarlinkType] = [:]

  private let text: [UInt8]
  private var position = 0
  private var line = 1
  private var depth = 0
  private var references: [(name: String, line: Int)] = []

  init(_ text: String) {
    self.text = Array(text.utf8)
  }

  mutating func readInterface() throws(VarlinkDescriptionError) {
    let keyword = readWord { $0.isLetterOrDigit }
    guard keyword == "interface" else { throw mistake("expected 'interface', not '\(keyword)'") }
    name = readWord { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    guard name.contains("."), !name.hasPrefix("."), !name.hasSuffix(".") else {
      throw mistake("'\(name)' is not the name of an interface")
    }
    while true {
      skipSpace()
      if position == text.count { break }
      try readMember()
    }
    for reference in references where types[reference.name] == nil {
      throw VarlinkDescriptionError(
        line: reference.line, problem: "type '\(reference.name)' is not defined")
    }
  }

  private mutating func readMember() throws(VarlinkDescriptionError) {
    let keyword = readWord { $0.isLetterOrDigit }
    guard ["type", "method", "error"].contains(keyword) else {
      throw mistake("expected 'type', 'method' or 'error', not '\(keyword)'")
    }
    let member = readWord { $0.isLetterOrDigit }
    guard let first = member.utf8.first, first.isUpperCase else {
      throw mistake("'\(member)' is not a name: it must begin with an upper-case letter")
    }
    guard types[member] == nil, methods[member] == nil, errors[member] == nil else {
      throw mistake("'\(member)' is defined twice")
    }
    switch keyword {
    case "type": types[member] = try readStructure()
    case "error": errors[member] = try readStructure()
    default:
      let input = try readStructure()
      try expect("->")
      methods[member] = VarlinkDescription.Method(input: input, output: try readStructure())
    }
  }

  private mutating func readType() throws(VarlinkDescriptionError) -> VarlinkType {
    depth += 1
    defer { depth -= 1 }
    guard depth < RequestHead.maximumNesting else { throw mistake("nested too deeply") }
    skipSpace()
    if accept("?") {
      let type = try readType()
      if type.isOptional { throw mistake("'?' twice") }
      return .optional(type)
    }
    if accept("[string]") { return .map(try readType()) }
    if accept("[]") { return .array(try readType()) }
    if text[position...].first == UInt8(ascii: "(") { return try readStructure() }
    let word = readWord { $0.isLetterOrDigit }
    switch word {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    default:
      guard let first = word.utf8.first, first.isUpperCase else {
        throw mistake("'\(word)' is not a type")
      }
      references.append((word, line))
      return .named(word)
    }
  }

  /// Reads a structure, or an enumeration: that has members without types.
  private mutating func readStructure() throws(VarlinkDescriptionError) -> VarlinkType {
    try expect("(")
    skipSpace()
    if accept(")") { return .structure([]) }
    var fields: [VarlinkType.Field] = []
    var names: [String] = []
    repeat {
      let name = readWord { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
      guard let first = name.utf8.first, first.isLetter else {
        throw mistake("'\(name)' is not the name of a member")
      }
      if names.contains(name) { throw mistake("member '\(name)' is defined twice") }
      names.append(name)
      skipSpace()
      if accept(":") { fields.append(VarlinkType.Field(name: name, type: try readType())) }
      skipSpace()
    } while accept(",")
    try expect(")")
    if fields.isEmpty { return .enumeration(names) }
    guard fields.count == names.count else { throw mistake("a member has no type") }
    return .structure(fields)
  }

  private mutating func readWord(_ belongs: (UInt8) -> Bool) -> String {
    skipSpace()
    let word = text[position...].prefix(while: belongs)
    position = word.endIndex
    return String(decoding: word, as: UTF8.self)
  }

  private mutating func expect(_ token: String) throws(VarlinkDescriptionError) {
    skipSpace()
    if !accept(token) { throw mistake("expected '\(token)'") }
  }

  private mutating func accept(_ token: String) -> Bool {
    guard text[position...].starts(with: token.utf8) else { return false }
    position += token.utf8.count
    return true
  }

  /// Passes white space and comments.
  private mutating func skipSpace() {
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "#"):
        position = text[position...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      default: return
      }
    }
  }

  private func mistake(_ problem: String) -> VarlinkDescriptionError {
    VarlinkDescriptionError(line: line, problem: problem)
  }
}

extension UInt8 {
  fileprivate var isUpperCase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  fileprivate var isLetter: Bool {
    isUpperCase || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
  fileprivate var isLetterOrDigit: Bool {
    isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
