import Geofencing
import JSONCoding

/// Reads the features of a GeoJSON text, or of a sequence of such texts.
struct GeoJSONReader {
  static let kind = "feature"

  private var scanner: JSONScanner
  private var collector: ConditionCollector
  private var coordinates = GeoJSONCoordinates()
  private var nearNames = NearNames()

  /// Reads all bytes of a source, until it returns none.
  static func read(
    into collector: ConditionCollector, from source: @escaping (inout [UInt8]) throws -> Void
  ) throws -> ConditionsFile {
    var reader = GeoJSONReader(
      scanner: try JSONScanner(source: source), collector: collector)
    do {
      try reader.readTexts()
    } catch let mistake as JSONMistake {
      throw reader.collector.failure(line: mistake.line, "not JSON: \(mistake.problem)")
    }
    return try reader.collector.finish(format: .geojson, notes: [])
  }

  private mutating func readTexts() throws {
    var isFirst = true
    while try scanner.nextText() {
      guard try scanner.kind() == .object else {
        throw isFirst
          ? notGeoJSON(line: scanner.line) : scanner.mistake("text after the end of the JSON")
      }
      try readText()
      isFirst = false
    }
  }

  private func notGeoJSON(line: Int) -> FileMistakes {
    collector.failure(
      line: line,
      "not a GeoJSON FeatureCollection: the outermost object needs \"type\": "
        + "\"FeatureCollection\" and an array \"features\"")
  }

  /// Reads one outermost object: a collection, a feature, or a geometry alone.
  private mutating func readText() throws {
    let line = scanner.line
    var parts = FeatureParts()
    var hasFeatures = false
    try scanner.enter()
    while let key = try scanner.nextKey() {
      switch key {
      case "features" where try scanner.kind() == .array:
        hasFeatures = true
        try scanner.enter()
        while try scanner.nextElement() { try readFeature() }
      case "coordinates":
        try coordinates.read(from: &scanner)
        parts.isGeometry = true
      default:
        try readMember(key, into: &parts)
      }
    }
    if parts.type == "FeatureCollection", hasFeatures { return }
    if parts.isGeometry, !hasFeatures, let type = parts.type {
      setShape(ofType: type, of: &parts.draft)
      // This isn't a mistake in the shape: if only shapes are read, it doesn't matter.
      parts.draft.noteBeside(Mistake("it is a geometry alone: it needs a Feature around it"))
      return try collector.add(parts.draft, at: collector.origin(line: line, kind: Self.kind))
    }
    guard parts.type == "Feature", !hasFeatures else {
      throw notGeoJSON(line: line)
    }
    try add(parts, line: line)
  }

  private mutating func readFeature() throws {
    var parts = FeatureParts()
    let kind = try scanner.kind()
    let line = scanner.line
    guard kind == .object else {
      try scanner.skip()
      parts.draft.note(Mistake("it isn't an object"))
      return try collector.add(parts.draft, at: collector.origin(line: line, kind: Self.kind))
    }
    try scanner.enter()
    while let key = try scanner.nextKey() { try readMember(key, into: &parts) }
    try add(parts, line: line)
  }

  /// The members of a feature, which may come in any order.
  private struct FeatureParts {
    var draft = ConditionDraft()
    var id: ConditionDraft.Name?
    /// The property `identifier`, as in KML, which GDAL keeps under this name.
    var identifier: String?
    /// The property `name`.
    var name: String?
    /// The property `Name` in any letter case, in which GDAL writes the name of a Placemark.
    var otherName: String?
    /// The property `id`.
    var propertyID: String?
    /// The property `id2`, in which GDAL writes a Placemark's property `id`, as `id` is the Placemark's own.
    var secondID: String?
    var type: String?
    /// A geometry, without a feature around it.
    var isGeometry = false
    var hasGeometry = false
    /// Whether its geometry is null: then it has no place (RFC 7946, 3.2).
    var isUnlocated = false

    /// The name from which the identifier is taken or made; the most reliable one there is.
    var bestName: ConditionDraft.Name? {
      if let id { return id }
      if let identifier, Identifier.isValid(identifier) { return .identifier(identifier) }
      // Other programs may use a property of that name for anything.
      let isNumbered = propertyID.map(Identifier.isNumberOfRow) ?? false
      let ownID = isNumbered ? secondID ?? propertyID : propertyID
      let named = name ?? otherName ?? identifier ?? ownID.map(Identifier.ofOpenStreetMap)
      return named.map { .name($0) }
    }
  }

  private mutating func add(_ parts: FeatureParts, line: Int) throws {
    var draft = parts.draft
    if parts.type != "Feature" {
      draft = ConditionDraft()
      draft.note(Mistake("it needs \"type\": \"Feature\""))
    } else if parts.isUnlocated {
      return collector.addUnlocated(at: collector.origin(line: line, kind: Self.kind))
    } else if !parts.hasGeometry {
      draft.note(Mistake("it needs a geometry with a type"))
    }
    draft.name = parts.bestName
    try collector.add(draft, at: collector.origin(line: line, kind: Self.kind))
  }

  private mutating func readMember(_ key: String, into parts: inout FeatureParts) throws {
    let kind = try scanner.kind()
    switch (key, kind) {
    case ("type", .string): parts.type = try scanner.string().beginning
    case ("id", .string):
      parts.id = ConditionDraft.Name(id: Identifier.ofOpenStreetMap(try scanner.string()))
    case ("id", .number):
      // Keep its text, of any length: written as another number it would give another identifier.
      let text = try scanner.numberText()
      if text.drop(while: { $0 == "-" }).allSatisfy(\.isWholeNumber) {
        parts.id = ConditionDraft.Name(id: text)
      } else {
        parts.draft.noteBeside(
          Mistake("its id is neither a text nor a whole number: write it as a text"))
      }
    case ("geometry", .object):
      parts.hasGeometry = true
      try readGeometry(into: &parts.draft)
    case ("geometry", .word): parts.isUnlocated = try scanner.word() == nil
    case ("properties", .object): try readProperties(into: &parts)
    case ("properties", _):
      // Null means that there are no properties.
      if kind == .word, try scanner.word() == nil { break }
      if kind != .word { try scanner.skip() }
      parts.draft.noteBeside(Mistake("its properties aren't an object"))
    case ("crs", _): try checkReferenceSystem()
    default: try scanner.skip()
    }
  }

  /// Reads the reference system that comes next.
  ///
  /// - Throws: ``FileMistakes`` if it isn't WGS84. It has only this mistake, as it may be the reason for others.
  private mutating func checkReferenceSystem() throws {
    let line = scanner.line
    if let problem = try GeoJSONReferenceSystem(from: &scanner).problem {
      throw FileMistakes(lines: ["\(collector.path):\(line): \(problem)"])
    }
  }

  private mutating func readGeometry(into draft: inout ConditionDraft) throws {
    var type: String?
    var hasCoordinates = false
    try scanner.enter()
    while let key = try scanner.nextKey() {
      let kind = try scanner.kind()
      switch key {
      case "type" where kind == .string: type = try scanner.string().beginning
      case "coordinates":
        hasCoordinates = true
        try coordinates.read(from: &scanner)
      case "crs": try checkReferenceSystem()
      default: try scanner.skip()
      }
    }
    guard let type else { return draft.note(Mistake("it needs a geometry with a type")) }
    guard hasCoordinates || type == "GeometryCollection" else {
      return draft.note(Mistake("its geometry needs \"coordinates\""))
    }
    setShape(ofType: type, of: &draft)
  }

  private func setShape(ofType type: String, of draft: inout ConditionDraft) {
    do throws(Mistake) {
      draft.shape = try coordinates.shape(ofType: type)
    } catch {
      draft.note(error)
    }
  }

  /// Reads a name; nil if the next value isn't a name, or is blank.
  private mutating func readName() throws -> String? {
    switch try scanner.kind() {
    case .string:
      let text = try scanner.string()
      return text.isBlank ? nil : text
    case .number:
      // It may have any length. A whole number that GDAL and pandas keep as a fraction is written 1.0.
      let text = try scanner.numberText()
      let parts = text.split(separator: ".", maxSplits: 1)
      let isWhole = parts.dropFirst().joined().allSatisfy { $0 == "0" }
      guard isWhole, let whole = parts.first, !whole.lowercased().contains("e") else { return nil }
      return String(whole)
    default:
      try scanner.skip()
      return nil
    }
  }

  private mutating func readProperties(into parts: inout FeatureParts) throws {
    try scanner.enter()
    while let key = try scanner.nextKey() {
      // Many programs give features no id of their own, so look for it in the properties.
      switch key {
      case "name": parts.name = try readName() ?? parts.name
      // QGIS doesn't turn an attribute `id` into the feature's id.
      case "id": parts.propertyID = try readName() ?? parts.propertyID
      case "id2": parts.secondID = try readName() ?? parts.secondID
      case "identifier": parts.identifier = try readName() ?? parts.identifier
      case _ where key.utf8.count == 4 && key.lowercased() == "name":
        parts.otherName = try readName() ?? parts.otherName
      default: try readProperty(key, into: &parts.draft)
      }
    }
  }

  private mutating func readProperty(_ key: String, into draft: inout ConditionDraft) throws {
    guard let property = PropertyName(inFile: key) else {
      if let mistake = nearNames.mistake(for: key) { draft.noteBeside(mistake) }
      return try scanner.skip()
    }
    switch try scanner.kind() {
    case .string:
      // Overpass and many tables write numbers as texts, and a missing value as an empty text.
      let text = try scanner.string()
      if !text.isEmpty { draft.set(property, toText: text) }
    case .number where !property.isText:
      draft.set(property, to: try scanner.number())
    case .word:
      if try scanner.word() != nil { draft.noteWrongType(of: property) }
    default:
      try scanner.skip()
      draft.noteWrongType(of: property)
    }
  }
}
