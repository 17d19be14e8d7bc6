import Geofencing

extension Condition {
  /// What has to be written besides the positions, in a fixed order.
  ///
  /// Nothing of it needs to be escaped in XML or JSON.
  var writtenOptions: [(property: PropertyName, text: String)] {
    var options: [(PropertyName, String)] = []
    func add(_ property: PropertyName, _ number: Double?) {
      if let number { options.append((property, number.shortest)) }
    }
    switch shape {
    case .circle(let circle): add(.radius, circle.radius)
    case .corridor(let corridor): add(.width, corridor.width)
    case .polygon: break
    }
    add(.minimumAltitude, altitude?.minimum)
    add(.maximumAltitude, altitude?.maximum)
    if let altitude, altitude.reference != .meanSeaLevel {
      options.append((.altitudeReference, altitude.reference.rawValue))
    }
    add(.enterAfter, enterAfter?.inSeconds)
    add(.exitAfter, exitAfter?.inSeconds)
    add(.confidence, confidence)
    if let expires { options.append((.expires, expires.rfc3339)) }
    return options
  }
}

extension [UInt8] {
  /// Appends a text.
  mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// Appends longitude and latitude.
  mutating func append(_ coordinate: Coordinate) {
    append(coordinate.longitude.shortest)
    append(",")
    append(coordinate.latitude.shortest)
  }

  /// Appends what each element is written as, with something between.
  mutating func append<Part>(
    _ elements: [Part], between separator: String, _ write: (Part, inout [UInt8]) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { append(separator) }
      write(element, &self)
    }
  }
}
