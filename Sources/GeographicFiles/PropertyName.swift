import CommandLineParsing

/// The options of a condition, with their names in all formats.
enum PropertyName: String, CaseIterable {
  /// The radius in metres of a circle around a point.
  case radius
  /// The width in metres of the corridor along a line.
  case width
  case minimumAltitude
  case maximumAltitude
  case altitudeReference
  /// A time in seconds, as is `exitAfter`.
  case enterAfter
  case exitAfter
  case confidence
  /// An RFC 3339 date and time.
  case expires

  /// The option with a name in a file; GDAL calls the options of our GPX files `geofenced_radius` and so on.
  init?(inFile name: String) {
    let prefix = "geofenced_"
    guard name.utf8.starts(with: prefix.utf8) else {
      self.init(rawValue: name)
      return
    }
    self.init(rawValue: String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
  }

  /// Whether the value is a text, rather than a number.
  var isText: Bool { self == .altitudeReference || self == .expires }

  /// Whether the option is the size of a shape.
  var isOfShape: Bool { self == .radius || self == .width }
}

/// Names of properties that files have used, and the option that each most likely means.
struct NearNames {
  /// The number of names that are remembered; others are compared again each time.
  private static let memoryLimit = 1000

  /// The longest name that is compared, in bytes.
  private static let longestName = 64

  private var known: [String: Mistake?] = [:]

  /// The mistake if a name is nearly that of an option; nil for other names, which other programs use.
  mutating func mistake(for name: String) -> Mistake? {
    // No option's name is nearly as long, and the memory has to stay small.
    guard name.utf8.count <= Self.longestName else { return nil }
    if let known = known[name] { return known }
    let mistake = nearestName(to: name, among: PropertyName.allCases.map(\.rawValue), within: 1)
      .map { Mistake("there is no property \"\(shortened(name))\"; did you mean '\($0)'?") }
    if known.count < Self.memoryLimit { known[name] = .some(mistake) }
    return mistake
  }
}
