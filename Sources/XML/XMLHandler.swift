import CExpat

/// The callbacks of expat: they collect events, and stop at what isn't accepted.
///
/// They are called only within `XML_Parse`, in the calling thread.
@safe
final class XMLHandler {
  /// Why the text isn't read any further.
  private(set) var mistake: XMLMistake?
  /// Whether a complete tag, text or the like was seen since ``begin()``.
  fileprivate(set) var hasSeenToken = false

  private var events: [XMLEvent] = []
  private var text: [UInt8] = []
  private var namespaces = XMLNamespaces()
  private var depth = 0
  private let parser: XML_Parser

  /// The number of lines before the bytes that expat is given.
  var linesBefore = 0

  /// Makes the handler of a parser; both must live while the parser is used.
  init(of parser: XML_Parser) {
    unsafe self.parser = parser
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    install()
  }

  func begin() { hasSeenToken = false }

  /// Returns the events collected since the last call.
  func take() -> [XMLEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  private func install() {
    unsafe XML_SetElementHandler(
      parser,
      { data, name, attributes in unsafe handler(data)?.start(name, attributes) },
      { data, _ in unsafe handler(data)?.end() })
    unsafe XML_SetCharacterDataHandler(parser) { data, bytes, count in
      unsafe handler(data)?.add(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
    unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, declaresMore in
      guard declaresMore != 0 else { return }
      unsafe handler(data)?.refuse(
        "a document type that declares entities or anything else isn't read: remove it")
    }
    unsafe XML_SetSkippedEntityHandler(parser) { data, name, _ in
      let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
      unsafe handler(data)?.refuse("the entity &\(name); isn't declared: \(XMLReader.entityAdvice)")
    }
    unsafe XML_SetUnknownEncodingHandler(
      parser,
      { _, name, encoding in
        guard let name = unsafe name, let encoding = unsafe encoding,
          unsafe XMLEncoding.fill(&encoding.pointee, named: String(cString: name))
        else { return CInt(XML_STATUS_ERROR.rawValue) }
        return CInt(XML_STATUS_OK.rawValue)
      }, nil)
    // Comments, instructions and declarations.
    unsafe XML_SetDefaultHandlerExpand(parser) { data, _, _ in
      unsafe handler(data)?.hasSeenToken = true
    }
  }

  /// The current line, counted from 1.
  var line: Int { unsafe linesBefore + Int(expat_line(parser)) }

  fileprivate func refuse(_ problem: String) {
    guard mistake == nil else { return }
    mistake = XMLMistake(line: line, problem: problem)
    _ = unsafe XML_StopParser(parser, 0)
  }

  fileprivate func start(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    hasSeenToken = true
    // expat may still call some handlers after it was stopped.
    guard mistake == nil, let name = unsafe name, var next = unsafe attributes else { return }
    guard depth < XMLReader.maximumDepth else {
      refuse("nested deeper than \(XMLReader.maximumDepth) levels")
      return
    }
    depth += 1
    text.removeAll(keepingCapacity: true)
    var (told, declared): ([String: String], [String: String]) = ([:], [:])
    while let key = unsafe next.pointee, let value = unsafe next[1] {
      let (key, value) = unsafe (String(cString: key), String(cString: value))
      guard isShort("", key) else { return }
      if let prefix = XMLNamespaces.declaredPrefix(by: key) {
        guard isShort(key, value) else { return }
        declared[prefix] = value
      } else if !key.utf8.contains(UInt8(ascii: ":")) {
        told[key] = value
      }
      unsafe next += 2
    }
    namespaces.begin(declared)
    guard !namespaces.isFull else {
      refuse("more than \(XMLNamespaces.limit) namespaces")
      return
    }
    let tag = unsafe String(cString: name)
    guard isShort("", tag) else { return }
    let (namespace, local) = namespaces.resolved(tag)
    guard isShort(namespace, local) else { return }
    events.append(
      .start(XMLElement(name: local, namespace: namespace, attributes: told, line: line)))
  }

  /// Whether a name is short enough; if not, reading stops.
  ///
  /// Comparing long names with accented letters takes time in the square of their length.
  private func isShort(_ namespace: String, _ name: String) -> Bool {
    guard namespace.utf8.count + name.utf8.count > XMLReader.maximumNameLength else { return true }
    refuse("a name of more than \(XMLReader.maximumNameLength) bytes")
    return false
  }

  fileprivate func end() {
    hasSeenToken = true
    guard mistake == nil else { return }
    depth -= 1
    namespaces.end()
    events.append(.end(text: String(decoding: text.trimmed, as: UTF8.self)))
    text.removeAll(keepingCapacity: true)
  }

  fileprivate func add(_ bytes: UnsafeBufferPointer<CChar>) {
    hasSeenToken = true
    guard mistake == nil else { return }
    guard text.count + bytes.count <= XMLReader.maximumTextLength else {
      refuse("a text of more than \(XMLReader.maximumTextLength) bytes")
      return
    }
    unsafe text.append(contentsOf: UnsafeRawBufferPointer(bytes))
  }
}

/// The handler that a parser has as its user data.
private func handler(_ data: UnsafeMutableRawPointer?) -> XMLHandler? {
  guard let data = unsafe data else { return nil }
  return unsafe Unmanaged<XMLHandler>.fromOpaque(data).takeUnretainedValue()
}

extension [UInt8] {
  /// The bytes without white space around them.
  fileprivate var trimmed: ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return [] }
    return self[first...last]
  }
}
