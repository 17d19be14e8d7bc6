import XML

/// Reads the Placemarks of a KML text.
struct KMLReader: XMLBuilder {
  static let format = GeographicFormat.kml
  var collector: ConditionCollector
  private var nearNames = NearNames()
  var open = OpenElements()
  private var placemark: Placemark?
  private var networkLinks = 0
  private var unwatchable = 0

  init(collector: ConditionCollector) {
    self.collector = collector
  }

  var notes: [String] {
    var notes: [String] = []
    if networkLinks > 0 {
      notes.append(
        "\(collector.path): NetworkLinks skipped, as nothing outside the file is read: "
          + "\(networkLinks)")
    }
    if unwatchable > 0 {
      notes.append(
        "\(collector.path): models and tracks skipped, as they are no places: \(unwatchable)")
    }
    return notes
  }

  // MARK: Elements

  /// Takes a tag; returns whether the contents of its element matter.
  mutating func isOfInterest(_ element: XMLElement) -> Bool {
    switch element.name {
    case "Track" where !isKML(element), "MultiTrack" where !isKML(element), "Model":
      placemark?.isWatchable = false
      return false
    case _ where !isKML(element): return false
    case "Document", "Folder":
      return placemark == nil
    case "NetworkLink":
      networkLinks += 1
      return false
    case "Placemark":
      guard placemark == nil else { return false }
      placemark = Placemark(
        origin: collector.origin(line: element.line, kind: "Placemark"),
        id: element.attributes["id"])
      return true
    case "Data", "SimpleData":
      placemark?.dataName = element.attributes["name"]?.beginning
      return placemark != nil
    case "Point", "LineString", "LinearRing", "Polygon", "MultiGeometry":
      placemark?.hasGeometry = true
      return placemark != nil
    case "name", "ExtendedData", "SchemaData", "value", "outerBoundaryIs", "innerBoundaryIs",
      "coordinates":
      return placemark != nil
    default: return false
    }
  }

  /// Whether an element belongs to KML.
  ///
  /// Programs leave out the namespace of elements inside the outermost one, or mix versions of it.
  private func isKML(_ element: XMLElement) -> Bool {
    let namespace = element.namespace
    return namespace == open.namespace || namespace.isEmpty
      || Self.namespaces.contains(where: namespace.hasPrefix)
  }

  private static let namespaces = [
    "http://www.opengis.net/kml/", "http://earth.google.com/kml/",
  ]

  mutating func end(_ name: String, _ text: String) throws {
    guard var placemark else { return }
    // With a second reference it would be copied at each change.
    self.placemark = nil
    switch (name, open.last) {
    case ("Placemark", _):
      if !placemark.isWatchable { unwatchable += 1 }
      guard placemark.hasGeometry else {
        // It has only a name or an address.
        return collector.addUnlocated(at: placemark.origin, isTold: !placemark.isWatchable)
      }
      return try collector.add(placemark.whole, at: placemark.origin)
    case ("name", "Placemark"): placemark.name = text
    case ("value", "Data"), ("SimpleData", _): placemark.setData(text, &nearNames)
    case ("Data", _): placemark.endData(text)
    case ("innerBoundaryIs", _): placemark.endInnerBoundary()
    case ("coordinates", let geometry?):
      placemark.add(text, to: geometry, within: open.names.dropLast().last)
    case ("Polygon", _): placemark.endPolygon()
    default: break
    }
    self.placemark = placemark
  }
}
