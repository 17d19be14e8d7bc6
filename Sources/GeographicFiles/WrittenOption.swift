import Geofencing

extension Condition {
  /// The options that have to be written besides the positions, in a fixed order.
  ///
  /// Neither XML nor JSON needs escapes for them.
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

  /// Appends longitude and latitude, separated by a comma.
  mutating func append(_ coordinate: Coordinate) {
    append(coordinate.longitude.shortest)
    append(",")
    append(coordinate.latitude.shortest)
  }

  /// Appends each element with a closure, and a separator between them.
  mutating func append<Part>(
    _ elements: [Part], between separator: String, _ write: (Part, inout [UInt8]) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { append(separator) }
      write(element, &self)
    }
  }
}
