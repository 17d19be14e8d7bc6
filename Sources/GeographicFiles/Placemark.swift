import Geofencing

/// A KML Placemark as far as it was read.
struct Placemark {
  let origin: NamedCondition.Origin
  var name: String?
  /// The name of the Data or SimpleData element that is being read.
  var dataName: String?
  /// Whether its geometry is of a kind that can be watched, unlike models and tracks.
  var isWatchable = true
  /// Whether it has a geometry, valid or not.
  var hasGeometry = false

  private let id: String?
  private var identifier: String?
  /// The Data value `id`, which counts if there is neither an id nor a name.
  private var propertyID: String?
  private var draft = ConditionDraft()
  private var points: [Position] = []
  private var lines: [[Position]] = []
  private var polygons: [[[Position]]] = []
  private var outerRings: [[Position]] = []
  private var innerRings: [[Position]] = []
  /// The number of inner rings whose boundaries have ended.
  private var endedHoles = 0
  private var positionCount = 0

  init(origin: NamedCondition.Origin, id: String?) {
    self.origin = origin
    self.id = id
  }

  /// Takes a value of the extended data.
  mutating func setData(_ text: String, _ nearNames: inout NearNames) {
    // In a table with many columns an empty value means that there is none.
    guard let name = dataName, !text.isEmpty else { return }
    if name == "identifier" {
      identifier = text
    } else if name == "id" {
      propertyID = text
    } else if let property = PropertyName(inFile: name) {
      draft.set(property, toText: text)
    } else if let mistake = nearNames.mistake(for: name) {
      draft.noteBeside(mistake)
    }
  }

  /// Notes a mistake if the text of an option isn't inside a value element.
  mutating func endData(_ text: String) {
    guard let dataName, PropertyName(rawValue: dataName) != nil, !text.isEmpty else { return }
    draft.noteBeside(Mistake("\"\(dataName)\": its text has to be in a value"))
  }

  /// Notes a mistake if an inner boundary had no ring.
  mutating func endInnerBoundary() {
    if innerRings.count == endedHoles {
      draft.note(Mistake("an innerBoundaryIs needs a LinearRing with coordinates"))
    }
    endedHoles = innerRings.count
  }

  /// Takes the coordinates of a geometry, or of a ring of a boundary.
  mutating func add(_ text: String, to geometry: String, within parent: String?) {
    do throws(Mistake) {
      let positions = try kmlPositions(text)
      guard positionCount + positions.count <= Mistake.positionLimit else {
        throw .tooManyPositions
      }
      positionCount += positions.count
      switch (geometry, parent) {
      case ("Point", _):
        guard positions.count == 1 else { throw Mistake("a Point needs one position") }
        points += positions
      case ("LinearRing", "outerBoundaryIs"): outerRings.append(positions)
      case ("LinearRing", "innerBoundaryIs"): innerRings.append(positions)
      case ("LineString", _), ("LinearRing", _): lines.append(positions)
      default: break
      }
    } catch {
      draft.note(error)
    }
  }

  /// Makes a polygon from the rings taken so far.
  mutating func endPolygon() {
    if outerRings.count == 1 {
      polygons.append(outerRings + innerRings)
    } else {
      draft.note(Mistake("a Polygon needs one outerBoundaryIs with coordinates"))
    }
    outerRings = []
    innerRings = []
    endedHoles = 0
  }

  /// The draft of a condition with all that was read.
  var whole: ConditionDraft {
    var draft = draft
    if let identifier {
      draft.name = .identifier(identifier)
    } else {
      let named = [name, propertyID.map(Identifier.ofOpenStreetMap)].compactMap(\.self)
        .first { !$0.isBlank }.map { ConditionDraft.Name.name($0) }
      let own = id.flatMap(ConditionDraft.Name.init(id:))
      // The number of a row changes if rows before it do.
      let isNumbered = id.map(Identifier.isNumberOfRow) ?? false
      draft.name = isNumbered ? named ?? own : own ?? named
    }
    switch (points.count, lines.isEmpty, polygons.isEmpty) {
    case (1, true, true): draft.shape = .point(points[0])
    case (0, false, true): draft.shape = .lines(lines)
    case (0, true, false): draft.shape = .polygons(polygons)
    case (0, true, true): draft.note(Mistake("its Point, LineString or Polygon has no coordinates"))
    case (_, true, true): draft.note(Mistake("it has several Points: give each a Placemark"))
    default:
      draft.note(Mistake("it mixes points, lines and polygons: give each kind a Placemark"))
    }
    return draft
  }
}
