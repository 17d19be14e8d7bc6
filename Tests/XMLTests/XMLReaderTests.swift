import Testing
import XML

private let advice = "write its character or the number of that, as &#160; for &nbsp;"

/// What a text says, read in pieces of some size.
private func read(_ bytes: [UInt8], pieces size: Int = 1 << 16) throws(XMLMistake) -> [XMLEvent] {
  var reader = XMLReader()
  var events: [XMLEvent] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    try reader.read(Array(rest.prefix(size)), isLast: false, into: &events)
    rest = rest.dropFirst(size)
  }
  try reader.read([], isLast: true, into: &events)
  return events
}

private func read(_ text: String, pieces size: Int = 1 << 16) throws(XMLMistake) -> [XMLEvent] {
  try read(Array(text.utf8), pieces: size)
}

private func xmlMistake(in text: String) -> XMLMistake? {
  do throws(XMLMistake) {
    _ = try read(text)
    return nil
  } catch {
    return error
  }
}

@Suite struct `Reading XML` {
  private static let text = """
    <?xml version="1.0"?>
    <!-- a remark -->
    <a xmlns="urn:one" xmlns:o="urn:other" key="v &amp; w" o:key="x">
      <o:b> text<!-- and -->, <![CDATA[<more>]]> &#x41; </o:b>
      <c/>
    </a>
    """

  @Test(arguments: [1, 2, 1 << 16])
  func `white space before the declaration is passed over, and its lines count`(
    size: Int
  ) throws {
    let events = try read(" \r\n\t\n" + Self.text, pieces: size)
    guard case .start(let a) = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(a.line == 5 && events.count == 6)
    #expect(xmlMistake(in: "\n\n<?xml version='1.0'?>\n<a><b></a>")?.line == 4)
    #expect(xmlMistake(in: " \n ")?.problem == "the text ends too early")
  }

  @Test(arguments: [1, 2, 3, 7, 1 << 16])
  func `elements, attributes and texts come with namespaces and lines, whatever the pieces`(
    size: Int
  ) throws {
    let events = try read(Self.text, pieces: size)
    try #require(events.count == 6)
    guard case .start(let a) = events[0], case .start(let b) = events[1],
      case .start(let c) = events[3]
    else {
      Issue.record("\(events)")
      return
    }
    #expect(a.name == "a" && a.namespace == "urn:one" && a.line == 3)
    #expect(a.attributes == ["key": "v & w"])
    #expect(b.name == "b" && b.namespace == "urn:other" && b.line == 4)
    #expect(events[2] == .end(text: "text, <more> A"))
    #expect(c.name == "c" && c.line == 5)
    #expect(events[4] == .end(text: "") && events[5] == .end(text: ""))
  }

  @Test func `a byte order mark and other encodings are understood`() throws {
    let expected: [XMLEvent] = try read("<a>Café</a>")
    #expect(expected.last == .end(text: "Café"))
    #expect(try read([0xEF, 0xBB, 0xBF] + Array("<a>Café</a>".utf8)) == expected)
    let utf16 = "\u{FEFF}<a>Café</a>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try read(utf16) == expected)
    let latin1 = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>Caf".utf8) + [0xE9]
    #expect(try read(latin1 + Array("</a>".utf8)) == expected)
    for name in ["windows-1252", "ISO-8859-15", "latin1"] {
      let text = Array("<?xml version='1.0' encoding='\(name)'?><a>Caf".utf8) + [0xE9]
      #expect(try read(text + Array("</a>".utf8)) == expected, "\(name)")
    }
    // Letters that may be followed by marks.
    for (name, bytes, letters) in [
      ("windows-1255", [0xE0, 0xE1, 0xE2], "אבג"), ("windows-1258", [0x41, 0xE9, 0x42], "AéB"),
    ] as [(String, [UInt8], String)] {
      let text = Array("<?xml version='1.0' encoding='\(name)'?><a>".utf8) + bytes
      #expect(try read(text + Array("</a>".utf8)).last == .end(text: letters))
    }
    let cyrillic = Array("<?xml version='1.0' encoding='KOI8-R'?><a>".utf8) + [0xEA, 0xCF, 0xD4]
    #expect(try read(cyrillic + Array("</a>".utf8)).last == .end(text: "Йот"))
  }

  @Test(arguments: [1, 3, 1 << 16])
  func `UTF-8 is understood under the name that Python writes`(size: Int) throws {
    let head = "<?xml version='1.0' encoding='utf8'?>"
    let place = "Café 北 🏠"
    #expect(try read(head + "<a>\(place)</a>", pieces: size).last == .end(text: place))
    let other = "<?xml version=\"1.0\" encoding = \"UTF8\"?>"
    #expect(try read(other + "<a>\(place)</a>", pieces: size).last == .end(text: place))
    for bytes: [UInt8] in [[0xC3, 0x28], [0xE5, 0x8C, 0x41], [0xED, 0xA0, 0x80], [0xF8, 0x88]] {
      #expect(throws: XMLMistake.self) {
        try read(Array((head + "<a>").utf8) + bytes + Array("</a>".utf8), pieces: size)
      }
    }
  }

  @Test func `a prefix is what the innermost element says, and one that nothing declares its own`()
    throws
  {
    let events = try read(
      """
      <a xmlns="one" xmlns:p="two"><p:b xmlns="three" xmlns:p="four"><c/></p:b><p:d/><xsi:e xsi:x="1" y="2"/><f \
      xmlns=""/></a>
      """)
    let elements = events.compactMap { event -> XMLElement? in
      if case .start(let element) = event { element } else { nil }
    }
    #expect(elements.map(\.name) == ["a", "b", "c", "d", "e", "f"])
    #expect(elements.map(\.namespace) == ["one", "four", "three", "two", "xsi", ""])
    #expect(elements.map(\.attributes) == [[:], [:], [:], [:], ["y": "2"], [:]])
  }

  @Test func `a document type that only names itself is passed over`() throws {
    let text = "<!DOCTYPE a PUBLIC \"-//x\" \"file:///etc/passwd\"><a/>"
    #expect(try read(text).count == 2)
  }

  @Test(arguments: [
    ("<a>\n<b></a>", 2, "mismatched tag"),
    ("", 1, "the text ends too early"),
    ("<a>", 1, "the text ends too early"),
    ("<a>\n<b attr='", 2, "the text ends too early"),
    ("<a/>\n<b/>", 2, "junk after document element"),
    ("<a>\n&nothing;</a>", 2, "undefined entity: \(advice)"),
    (
      "<!DOCTYPE a SYSTEM 'x'>\n<a>&nothing;</a>", 2,
      "the entity &nothing; isn't declared: \(advice)"
    ),
    ("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", 1, "a document type that"),
    ("<!DOCTYPE a [\n<!ENTITY % x SYSTEM 'http://x/'> %x;]><a/>", 1, "a document type that"),
    ("<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>", 1, "a document type that"),
    ("<?xml version='1.0' encoding='Shift_JIS'?><a/>", 1, "its encoding isn't known"),
    ("<?xml version='1.0' encoding='latin1.x'?><a/>", 1, "its encoding isn't known"),
    ("<a>\n\u{0}</a>", 2, "not well-formed: '&' and '<' are written"),
  ])
  func `what isn't let through is one mistake with its line`(
    text: String, line: Int, problem: String
  ) throws {
    let mistake = try #require(xmlMistake(in: text))
    #expect(mistake.line == line)
    #expect(mistake.problem.hasPrefix(problem), "\(mistake)")
  }

  @Test func `depth, tags and texts have limits`() throws {
    let nested = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
    #expect(try read(nested).count == 200)
    #expect(xmlMistake(in: "<b>\(nested)</b>")?.problem == "nested deeper than 100 levels")
    #expect(
      xmlMistake(in: String(repeating: "<a>", count: 10_000))?.problem
        == "nested deeper than 100 levels")
    let long = String(repeating: "x", count: 2 << 20)
    for text in ["<a b='\(long)'/>", "<a><!--\(long)--></a>", "<\(long)/>", "<?p \(long)?><a/>"] {
      let problem = xmlMistake(in: text)?.problem
      #expect(problem == "a tag or comment of more than 1048576 bytes")
    }
    let name = String(repeating: "x", count: 1024)
    #expect(try read("<\(name) \(name)=''/>").count == 2)
    for text in ["<\(name)x/>", "<a \(name)x=''/>", "<a xmlns:n='u' n:\(name)=''/>"] {
      #expect(xmlMistake(in: text)?.problem == "a name of more than 1024 bytes")
    }
    let many = (0...1000).map { " xmlns:n\($0)='u'" }
    #expect(xmlMistake(in: "<a\(many.joined())/>")?.problem == "more than 1000 namespaces")
    let apart = (0...1000).map { "<b xmlns:n\($0)='u'/>" }
    #expect(try read("<a>\(apart.joined())</a>").count == 2004)
    // Marks that would be sorted to be compared.
    let marks = "x" + String(repeating: "\u{301}\u{323}", count: 100_000)
    for text in ["<\(marks)/>", "<\(marks):a/>", "<a \(marks)=''/>", "<a xmlns:\(marks)=''/>"] {
      #expect(xmlMistake(in: text)?.problem == "a name of more than 1024 bytes")
    }
    #expect(try read("<a>\(long)</a>").last == .end(text: long))
    let text = String(repeating: long, count: 8)
    #expect(xmlMistake(in: "<a>\(text)x</a>")?.problem == "a text of more than 16777216 bytes")
  }

  @Test func `a mistake is told again when reading goes on`() {
    var reader = XMLReader()
    var events: [XMLEvent] = []
    #expect(throws: XMLMistake.self) {
      try reader.read(Array("<a></b>".utf8), isLast: false, into: &events)
    }
    #expect(throws: XMLMistake.self) {
      try reader.read(Array("<a/>".utf8), isLast: true, into: &events)
    }
    #expect(events.count == 1)
  }
}
