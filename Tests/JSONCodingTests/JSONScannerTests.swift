import JSONCoding
import Testing

/// A scanner over a text that comes in pieces of some size.
private func scanner(_ bytes: [UInt8], pieces size: Int = 1 << 16) throws -> JSONScanner {
  var rest = bytes[...]
  return try JSONScanner { buffer in
    buffer += rest.prefix(size)
    rest = rest.dropFirst(size)
  }
}

private func scanner(_ text: String, pieces size: Int = 1 << 16) throws -> JSONScanner {
  try scanner(Array(text.utf8), pieces: size)
}

private func jsonMistake(in bytes: [UInt8], pieces size: Int = 1 << 16) throws -> JSONMistake? {
  do {
    var scanner = try scanner(bytes, pieces: size)
    guard try scanner.nextText() else { return nil }
    try scanner.skip()
    if try scanner.nextText() { return scanner.mistake("text after the end") }
    return nil
  } catch let mistake as JSONMistake {
    return mistake
  }
}

@Suite struct `Scanning JSON` {
  @Test(arguments: [1, 2, 3, 5, 1 << 16])
  func `values come one by one, whatever the pieces`(size: Int) throws {
    var scanner = try scanner(
      "\u{FEFF}{\"a\":[1, -2.5e1,\n\"x\\n\\u00e9\\ud83d\\ude00\\ud83d\\\"\", true,null , false], \"é\":{}, \"n\":1e400}\n",
      pieces: size)
    #expect(try scanner.nextText())
    #expect(try scanner.kind() == .object)
    try scanner.enter()
    #expect(try scanner.nextKey() == "a")
    #expect(try scanner.kind() == .array)
    try scanner.enter()
    #expect(try scanner.nextElement())
    #expect(try scanner.kind() == .number)
    #expect(try scanner.wholeNumber() == 1)
    #expect(try scanner.nextElement())
    #expect(try scanner.kind() == .number)
    #expect(try scanner.number() == -25)
    #expect(try scanner.nextElement())
    #expect(try scanner.kind() == .string)
    #expect(scanner.line == 2)
    #expect(try scanner.string() == "x\né😀\u{FFFD}\"")
    for word in [true, nil, false] {
      #expect(try scanner.nextElement())
      #expect(try scanner.kind() == .word)
      #expect(try scanner.word() == word)
    }
    #expect(try !scanner.nextElement())
    #expect(try scanner.nextKey() == "é")
    try scanner.skip()
    #expect(try scanner.nextKey() == "n")
    #expect(try scanner.kind() == .number)
    #expect(try scanner.number() == nil)
    #expect(try scanner.nextKey() == nil)
    #expect(try !scanner.nextText())
  }

  @Test(arguments: [
    ("", 1, "expected a value, but the text ends"), ("{]", 1, "expected a key in quotes, not ']'"),
    ("{\"a\"\n1}", 2, "expected ':', not '1'"), ("[1\n\n2]", 3, "expected ',' or ']', not '2'"),
    ("[1,]", 1, "expected a value, not ']'"),
    ("{\"a\":1,}", 1, "expected a key in quotes, not '}'"),
    ("[01]", 1, "a number must not begin with 0"), ("[-]", 1, "expected a value, not '-'"),
    ("[1.]", 1, "expected a digit, not ']'"), ("[1e]", 1, "expected a digit, not ']'"),
    ("[+1]", 1, "expected a value, not '+'"), ("[NaN]", 1, "expected a value, not 'N'"),
    ("[nul]", 1, "expected a value, not 'n'"), ("[truest]", 1, "expected a value, not 't'"),
    ("[\"\n\"]", 1, "a control character in a string"), ("[\"x", 1, "a string has no end"),
    ("[\"\\x\"]", 1, "expected one of"), ("[\"\\u12g4\"]", 1, "expected four hexadecimal digits"),
    ("[\"\\", 1, "a string has no end"), ("[1", 1, "expected ',' or ']', but the text ends"),
    ("\u{0}", 1, "expected a value, not '\\0'"), ("[é]", 1, "expected a value, not 'é'"),
  ])
  func `what isn't JSON is a mistake with its line`(
    text: String, line: Int, problem: String
  ) throws {
    for size in [1, 1 << 16] where !text.isEmpty {
      let mistake = try #require(try jsonMistake(in: Array(text.utf8), pieces: size), "\(text)")
      #expect(mistake.line == line, "\(text)")
      #expect(mistake.problem.hasPrefix(problem), "\(text): \(mistake)")
    }
  }

  @Test func `depth and length have limits`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(try jsonMistake(in: nested(64)) == nil)
    #expect(try jsonMistake(in: nested(65))?.problem == "nested deeper than 64 levels")
    #expect(try jsonMistake(in: nested(10_000))?.problem == "nested deeper than 64 levels")
    let long = String(repeating: "1", count: 2 << 20)
    for text in ["[\"\(long)\"]", "[\(long)]"] {
      #expect(
        try jsonMistake(in: Array(text.utf8))?.problem
          == "a string or number of more than 1048576 bytes")
    }
  }

  @Test(arguments: ["é", "\\u00e9"])
  func `texts of more than ASCII may have a limit of their own`(letter: String) throws {
    func passes(_ text: String) throws -> Bool {
      var scanner = try JSONScanner(Array("[\"\(text)\"]".utf8), maximumOtherText: 16)
      do {
        try scanner.skip()
        return true
      } catch let mistake as JSONMistake {
        #expect(mistake.problem == "a text of more than 16 bytes that isn't ASCII")
        return false
      }
    }
    let room = 16 - letter.utf8.count
    #expect(try passes(letter + String(repeating: "a", count: room)))
    #expect(try !passes(letter + String(repeating: "a", count: room + 1)))
    #expect(try !passes(String(repeating: "a", count: 1_000) + letter))
    #expect(try passes(String(repeating: "a\\\"\\n", count: 1_000)))
  }

  @Test(arguments: [0, 1])
  func `keys have a limit`(surplus: Int) throws {
    let key = String(repeating: "k", count: 1_024 + surplus)
    let mistake = try jsonMistake(in: Array("{\"\(key)\": 1}".utf8))
    #expect(mistake?.problem == (surplus == 0 ? nil : "a key of more than 1024 bytes"))
  }

  @Test func `what isn't UTF-8 is said to be so`() throws {
    let latin1 = Array("[\"Caf".utf8) + [0xE9] + Array("\"]".utf8)
    for bytes in [latin1, [0xFE, 0xFF, 0, 0x5B], [0x5B, 0xC3]] {
      #expect(
        try jsonMistake(in: bytes)?.problem == "the text isn't UTF-8; save it in that encoding")
    }
  }

  @Test func `texts follow one another, with or without a separator`() throws {
    var scanner = try scanner("\u{1E}{}\n\u{1E}{}\n{}\n[]")
    var count = 0
    while try scanner.nextText() {
      try scanner.skip()
      count += 1
    }
    #expect(count == 4)
  }
}
