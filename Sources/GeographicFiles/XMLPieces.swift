import XML

/// Something that is built from the events of an XML text.
protocol XMLBuilder {
  /// Where what goes wrong is told.
  var collector: ConditionCollector { get }

  /// Takes what the text says next.
  mutating func take(_ event: XMLEvent) throws
}

extension XMLBuilder {
  /// Takes all that a source gives, until it gives nothing more.
  mutating func takeAll(from source: (inout [UInt8]) throws -> Void) throws {
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
}
