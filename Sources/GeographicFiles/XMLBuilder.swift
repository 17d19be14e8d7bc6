import CommandLineParsing
import XML

/// A reader of conditions that is driven by the events of an XML text.
protocol XMLBuilder {
  /// The format; the outermost element has the same name.
  static var format: GeographicFormat { get }

  /// The collector of the conditions and mistakes.
  var collector: ConditionCollector { get set }

  /// Notes about the whole text, for its end.
  var notes: [String] { get }

  /// Makes a reader that has read nothing yet.
  init(collector: ConditionCollector)

  /// The elements that are open.
  var open: OpenElements { get set }

  /// Takes a tag; returns whether the contents of its element matter.
  mutating func isOfInterest(_ element: XMLElement) -> Bool

  /// Takes the end of an element that matters, with its text.
  mutating func end(_ name: String, _ text: String) throws
}

/// The elements that have begun and not ended.
struct OpenElements {
  /// The names of the open elements that matter, the outermost first.
  fileprivate(set) var names: [String] = []

  /// The namespace of the outermost element.
  fileprivate(set) var namespace = ""

  /// The number of open elements that don't matter, nested in each other.
  fileprivate var skipped = 0

  /// The name of the innermost element that matters.
  var last: String? { names.last }
}

extension XMLBuilder {
  /// Reads all bytes of a source, until it returns none.
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
