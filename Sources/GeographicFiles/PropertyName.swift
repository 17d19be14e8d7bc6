import CommandLineParsing

/// The options of a condition under the names that all formats give them.
enum PropertyName: String, CaseIterable {
  /// The radius in metres of a circle around a point.
  case radius
  /// The width in metres of the corridor along a line.
  case width
  case minimumAltitude
  case maximumAltitude
  case altitudeReference
  /// Seconds, as `exitAfter`.
  case enterAfter
  case exitAfter
  case confidence
  /// An RFC 3339 date.
  case expires

  /// The option of a name in a file: GDAL calls those of our GPX `geofenced_radius` and so on.
  init?(inFile name: String) {
    let prefix = "geofenced_"
    guard name.utf8.starts(with: prefix.utf8) else {
      self.init(rawValue: name)
      return
    }
    self.init(rawValue: String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
  }

  /// Whether the value is a text; else it is a number.
  var isText: Bool { self == .altitudeReference || self == .expires }

  /// Whether the option says how large the shape is.
  var isOfShape: Bool { self == .radius || self == .width }
}

/// Names that files were seen to use, and which option each most likely means.
struct NearNames {
  /// As many as this are remembered; the others are compared anew each time.
  private static let memoryLimit = 1000

  /// The longest name that is compared, in bytes.
  private static let longestName = 64

  private var known: [String: Mistake?] = [:]

  /// Why a name that isn't ours is a mistake; nil for what others put into their files.
  mutating func mistake(for name: String) -> Mistake? {
    // None of ours is nearly as long, and what is remembered has to stay small.
    guard name.utf8.count <= Self.longestName else { return nil }
    if let known = known[name] { return known }
    let mistake = nearestName(to: name, among: PropertyName.allCases.map(\.rawValue), within: 1)
      .map { Mistake("there is no property \"\(shortened(name))\"; did you mean '\($0)'?") }
    if known.count < Self.memoryLimit { known[name] = .some(mistake) }
    return mistake
  }
}
