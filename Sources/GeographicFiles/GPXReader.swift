import CommandLineParsing
import Geofencing
import JSONCoding
import XML

/// Reads the waypoints, routes and tracks of a GPX text.
struct GPXReader: XMLBuilder {
  /// The namespace of a condition's options in extensions of GPX; it is only a name, not the address of a page.
  static let optionsNamespace = "https://geofenced.io/gpx/1"

  /// The beginnings of the namespaces of Garmin's extensions, which end with a version.
  private static let garminNamespaces = [
    "http://www.garmin.com/xmlschemas/GpxExtensions/",
    "http://www.garmin.com/xmlschemas/WaypointExtension/",
  ]

  static let format = GeographicFormat.gpx

  var collector: ConditionCollector
  private var nearNames = NearNames()
  var open = OpenElements()
  private var draft = ConditionDraft()
  private var origin: NamedCondition.Origin?
  private var lines: [[Position]] = []
  private var positionCount = 0
  /// The distance in metres at which Garmin's receivers warn of a waypoint, as it is written.
  private var proximity: String?
  /// The number of routes and tracks that end where they began, like the outline of an area.
  private var closed = 0
  /// The namespace of the option that is being read; nil if none is.
  private var option: String?

  init(collector: ConditionCollector) {
    self.collector = collector
  }

  var notes: [String] {
    closed > 0
      ? [
        "\(collector.path): routes or tracks that are closed: \(closed); their edge is watched, not what it "
          + "encloses; GeoJSON and KML have polygons"
      ] : []
  }

  // MARK: Elements

  /// Takes a tag; returns whether the contents of its element matter.
  mutating func isOfInterest(_ element: XMLElement) -> Bool {
    // Elements inside an option don't matter, whatever their names.
    guard option == nil else { return false }
    if open.names.contains("rtept") { return isOfRoutePoint(element) }
    if open.last == "WaypointExtension" { return element.name == "Proximity" && isGarmins(element) }
    let isGPX = element.namespace == open.namespace
    let isInCondition = ["wpt", "rte", "trk"].contains(open.last)
    if open.last == "extensions" || isInCondition && !isGPX {
      // In GPX 1.0, extensions have no element around them.
      if element.name == "WaypointExtension", isGarmins(element) { return true }
      option = element.namespace
      return true
    }
    guard isGPX else { return false }
    switch (open.last, element.name) {
    case ("gpx", "wpt"), ("gpx", "rte"), ("gpx", "trk"):
      begin(element)
      return true
    case ("trk", "trkseg"):
      // There may be any number of empty segments.
      if lines.last?.isEmpty != true { lines.append([]) }
      return true
    case ("rte", "rtept"):
      add(element)
      return true
    case ("trkseg", "trkpt"):
      add(element)
      return false
    case (_, "name"), (_, "extensions"): return isInCondition
    default: return false
    }
  }

  /// Takes a tag inside a route point: the points of the road to the next one.
  ///
  /// - Returns: Whether the contents of its element may have such points.
  private mutating func isOfRoutePoint(_ element: XMLElement) -> Bool {
    switch (open.last, element.name) {
    case ("rtept", "extensions"): return element.namespace == open.namespace
    case ("extensions", "RoutePointExtension"): return isGarmins(element)
    case ("RoutePointExtension", "rpt") where isGarmins(element): add(element)
    default: break
    }
    return false
  }

  private func isGarmins(_ element: XMLElement) -> Bool {
    Self.garminNamespaces.contains(where: element.namespace.hasPrefix)
  }

  /// Begins a waypoint, a route or a track.
  private mutating func begin(_ element: XMLElement) {
    draft = ConditionDraft()
    lines = element.name == "rte" ? [[]] : []
    positionCount = 0
    proximity = nil
    origin = collector.origin(line: element.line, kind: element.name)
    if element.name == "wpt", let position = position(of: element) {
      draft.shape = .point(position)
    }
  }

  mutating func end(_ name: String, _ text: String) throws {
    if let namespace = option {
      option = nil
      set(name, of: namespace, to: text)
      return
    }
    guard let origin else { return }
    switch name {
    case "name": draft.name = text.isEmpty ? nil : .name(text)
    // Both extensions of Garmin's may have this.
    case "Proximity" where !text.isEmpty: proximity = text
    case "wpt", "rte", "trk":
      if name == "wpt" { endPoint() } else { endLines() }
      self.origin = nil
      try collector.add(draft, at: origin)
    default: break
    }
  }

  private mutating func set(_ name: String, of namespace: String, to text: String) {
    // The examples use the prefix "geofenced", which a file may have left undeclared.
    let isOursAlone = [Self.optionsNamespace, "geofenced"].contains(namespace)
    let isOurs = isOursAlone || [open.namespace, ""].contains(namespace)
    if isOursAlone, PropertyName(rawValue: name) == nil {
      let unknown = Mistake("there is no property \"\(shortened(name))\" in geofenced's namespace")
      return draft.noteBeside(nearNames.mistake(for: name) ?? unknown)
    }
    guard !text.isEmpty else { return }
    if let property = PropertyName(rawValue: name) {
      // Other programs use elements of these names, too, with any meaning.
      if !isOurs {
        guard property.isOfShape, case .number = DecimalText(text) else { return }
      }
      draft.set(property, toText: text)
    } else if isOurs, let mistake = nearNames.mistake(for: name) {
      draft.noteBeside(mistake)
    }
  }

  private mutating func add(_ point: XMLElement) {
    guard let position = position(of: point) else { return }
    guard positionCount < Mistake.positionLimit else { return draft.note(.tooManyPositions) }
    positionCount += 1
    lines[lines.count - 1].append(position)
  }

  private mutating func endPoint() {
    guard let proximity, case .number(let metres) = DecimalText(proximity), metres > 0 else {
      return
    }
    draft.setRadius(toDefault: metres)
  }

  private mutating func endLines() {
    // Receivers write segments with a single place when they lose the satellites.
    let lines = lines.filter { line in line.contains { $0 != line.first } }
    self.lines = []
    if lines.isEmpty {
      draft.note(Mistake("it has no line of two different points"))
    } else {
      if lines.allSatisfy({ $0.count > 3 && $0.first == $0.last }) { closed += 1 }
      draft.shape = .lines(lines)
    }
  }

  private mutating func position(of element: XMLElement) -> Position? {
    guard let latitude = number("lat", of: element), let longitude = number("lon", of: element)
    else { return nil }
    return Position(longitude: longitude, latitude: latitude)
  }

  private mutating func number(_ name: String, of element: XMLElement) -> Double? {
    guard let text = element.attributes[name] else {
      draft.note(Mistake("a \(element.name) needs lat and lon"))
      return nil
    }
    switch DecimalText(text) {
    case .number(let number): return number
    case .outOfRange: draft.note(Mistake("\"\(name)\": the number is out of range"))
    case .notANumber:
      draft.note(Mistake("\"\(name)\" of a \(element.name) is not a number: '\(shortened(text))'"))
    }
    return nil
  }
}
