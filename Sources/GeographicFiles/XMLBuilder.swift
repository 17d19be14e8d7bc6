import CommandLineParsing
import XML

/// Something that is built from the events of an XML text.
protocol XMLBuilder {
  /// The format that is read; the outermost element is called as it is.
  static var format: GeographicFormat { get }

  /// Where what is read and what goes wrong is told.
  var collector: ConditionCollector { get set }

  /// What is to be said of the whole text in the end.
  var notes: [String] { get }

  /// One that has read nothing yet.
  init(collector: ConditionCollector)

  /// The elements around what is read.
  var open: OpenElements { get set }

  /// Takes note of a tag, and says whether what is in its element matters.
  mutating func isOfInterest(_ element: XMLElement) -> Bool

  /// Takes the text of an element that matters and has ended.
  mutating func end(_ name: String, _ text: String) throws
}

/// The elements that have begun and not ended.
struct OpenElements {
  /// The names of those that matter, the outermost first.
  fileprivate(set) var names: [String] = []

  /// The namespace of the outermost one.
  fileprivate(set) var namespace = ""

  /// How many are open that don't matter, one in the other.
  fileprivate var skipped = 0

  /// The innermost one that matters.
  var last: String? { names.last }
}

extension XMLBuilder {
  /// Reads all that a source gives, until it gives nothing more.
  static func read(
    into collector: ConditionCollector, from source: (inout [UInt8]) throws -> Void
  ) throws -> ConditionsFile {
    var reader = Self(collector: collector)
    try reader.takeAll(from: source)
    return try reader.collector.finish(format: format, notes: reader.notes)
  }

  private mutating func takeAll(from source: (inout [UInt8]) throws -> Void) throws {
    var reader = XMLReader()
    var bytes: [UInt8] = []
    var events: [XMLEvent] = []
    repeat {
      bytes.removeAll(keepingCapacity: true)
      try source(&bytes)
      events.removeAll(keepingCapacity: true)
      do throws(XMLMistake) {
        try reader.read(bytes, isLast: bytes.isEmpty, into: &events)
      } catch {
        for event in events { try take(event) }
        throw collector.failure(line: error.line, "not XML: \(error.problem)")
      }
      for event in events { try take(event) }
    } while !bytes.isEmpty
  }

  private mutating func take(_ event: XMLEvent) throws {
    switch event {
    case .start(let element) where open.skipped == 0: try start(element)
    case .start: open.skipped += 1
    case .end(let text) where open.skipped == 0: try end(open.names.removeLast(), text)
    case .end: open.skipped -= 1
    }
  }

  private mutating func start(_ element: XMLElement) throws {
    if open.names.isEmpty {
      guard element.name == Self.format.rawValue else {
        throw collector.failure(
          line: element.line,
          "the outermost element is <\(shortened(element.name))>, not <\(Self.format.rawValue)>")
      }
      open.namespace = element.namespace
    } else if !isOfInterest(element) {
      open.skipped = 1
      return
    }
    open.names.append(element.name)
  }
}
