import CExpat

/// Reads XML from bytes that come in pieces, with expat.
///
/// It opens no other files. A document type is passed over, unless it declares anything itself: that is a mistake, so
/// no text grows by entities. UTF-8, UTF-16, ASCII and encodings with one byte per character are understood.
@safe
package struct XMLReader: ~Copyable {
  /// The deepest nesting of elements that is accepted.
  static let maximumDepth = 100

  /// The longest name of an element or attribute that is accepted, with its namespace, in bytes.
  static let maximumNameLength = 1024

  /// The longest tag, comment or instruction that is accepted, in bytes.
  static let maximumTagLength = 1 << 20

  /// The longest text of an element that is accepted, in bytes.
  static let maximumTextLength = 16 << 20

  /// Advice for people about entities of HTML.
  static let entityAdvice = "write its character or the number of that, as &#160; for &nbsp;"

  /// Nil if there was no memory for it.
  private let parser: XML_Parser?
  private let handler: XMLHandler?
  /// The bytes until the XML declaration is complete; nil after that.
  private var head: [UInt8]? = []
  private static let maximumDeclarationLength = 256
  /// The number of bytes since the last complete tag or text.
  private var openBytes = 0
  private var mistake: XMLMistake?

  /// Makes a reader at the beginning of a text.
  package init() {
    unsafe parser = XML_ParserCreate(nil)
    handler = unsafe parser.map { unsafe XMLHandler(of: $0) }
  }

  deinit {
    unsafe XML_ParserFree(parser)
  }

  /// Reads the next bytes and appends the events that they complete.
  ///
  /// After a mistake or the last bytes, nothing more may be read.
  package mutating func read(
    _ bytes: [UInt8], isLast: Bool, into events: inout [XMLEvent]
  ) throws(XMLMistake) {
    if let mistake { throw mistake }
    guard let parser = unsafe parser, let handler else {
      throw XMLMistake(line: 1, problem: "there is no memory to read it")
    }
    var bytes = bytes[...]
    if let head {
      let begun = head + bytes
      let text = Self.text(in: begun)
      handler.linesBefore += begun[..<text.startIndex].count { $0 == 0x0A }
      let declaration = text.prefix { $0 != UInt8(ascii: ">") }
      let isWhole = declaration.count < text.count
      guard isLast || isWhole || declaration.count > Self.maximumDeclarationLength else {
        self.head = Array(text)
        return
      }
      self.head = nil
      bytes = text
      // Python writes this name, which expat doesn't know.
      let name = /encoding\s*=\s*["']utf8["']/.ignoresCase()
      if String(decoding: declaration, as: UTF8.self).contains(name) {
        _ = unsafe XML_SetEncoding(parser, "UTF-8")
      }
    }
    handler.begin()
    let status = unsafe bytes.withUnsafeBytes { buffer in
      unsafe XML_Parse(
        parser, buffer.assumingMemoryBound(to: CChar.self).baseAddress, CInt(buffer.count),
        isLast ? 1 : 0)
    }
    events += handler.take()
    openBytes = handler.hasSeenToken ? 0 : openBytes + bytes.count
    if status == XML_STATUS_ERROR {
      mistake = unsafe handler.mistake ?? Self.mistake(of: parser, line: handler.line)
    } else if openBytes > Self.maximumTagLength {
      mistake = XMLMistake(
        line: handler.line,
        problem: "a tag or comment of more than \(Self.maximumTagLength) bytes")
    }
    if let mistake { throw mistake }
  }

  /// A text without white space before the declaration, which some programs write although it isn't allowed.
  private static func text(in bytes: [UInt8]) -> ArraySlice<UInt8> {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = bytes.starts(with: mark) ? mark.count : 0
    let text = bytes[start...].drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return text.startIndex > start ? text : bytes[...]
  }

  private static func mistake(of parser: XML_Parser, line: Int) -> XMLMistake {
    let code = unsafe XML_GetErrorCode(parser)
    let problem =
      switch code {
      case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_UNCLOSED_CDATA_SECTION:
        "the text ends too early"
      case XML_ERROR_UNKNOWN_ENCODING: "its encoding isn't known; save it as UTF-8"
      case XML_ERROR_UNDEFINED_ENTITY: "undefined entity: \(entityAdvice)"
      case XML_ERROR_INVALID_TOKEN:
        "not well-formed: '&' and '<' are written '&amp;' and '&lt;', and another encoding "
          + "than UTF-8 is named in the first line"
      default:
        unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
      }
    return XMLMistake(line: line, problem: problem)
  }
}
