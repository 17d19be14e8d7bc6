import Geofencing
import TestSupport
import Testing

@testable import GeographicFiles

@Suite struct `KML files` {
  private static let ring =
    "<LinearRing><coordinates>0,0,5 9,0,5\n 9,9,5 0,9,5 0,0,5</coordinates></LinearRing>"
  private static let hole =
    "<LinearRing><coordinates>1,1 1,2 2,2 2,1 1,1</coordinates></LinearRing>"
  private static let polygon =
    "<Polygon><extrude>1</extrude><outerBoundaryIs>\(ring)</outerBoundaryIs>"
    + "<innerBoundaryIs>\(hole)</innerBoundaryIs></Polygon>"
  private static let line = "<LineString><coordinates>1,2 3,4</coordinates></LineString>"

  @Test func `placemarks are found in folders and their geometry is what it stands for`() throws {
    let file = try read(
      kml(
        "<name>not this</name><Style id='x'><LineStyle><width>4</width></LineStyle></Style>"
          + "<Folder><name>nor this</name><Folder>\(placemark())</Folder>"
          + placemark(Self.polygon, name: "b", data: []) + "</Folder>"
          + placemark(
            "<MultiGeometry>\(Self.polygon)<MultiGeometry><Polygon><outerBoundaryIs>"
              + "<LinearRing><coordinates>20,0 21,0 21,1 20,0</coordinates></LinearRing>"
              + "</outerBoundaryIs></Polygon></MultiGeometry></MultiGeometry>", name: "c", data: [])
          + placemark(
            "<MultiGeometry>\(Self.line)\(Self.line)</MultiGeometry>", name: "d",
            data: [("width", "7"), ("colour", "red"), ("enterAfter", "")])), as: .kml)
    #expect(file.conditions.map(\.identifier) == ["a", "b", "c", "d"])
    let shapes = file.conditions.map(\.condition.shape)
    guard case .circle(let circle) = shapes[0], case .polygon(let one) = shapes[1],
      case .polygon(let two) = shapes[2], case .corridor(let lines) = shapes[3]
    else { throw TestFailure("\(shapes)") }
    #expect(circle.radius == 100 && circle.center.longitude == 16.3)
    #expect(one.polygons.map(\.count) == [2] && two.polygons.map(\.count) == [2, 1])
    #expect(lines.lines.count == 2 && lines.width == 7)
  }

  @Test func `data may come as a schema's and the namespace may be Google's or none`() throws {
    let text = """
      <kml xmlns="http://earth.google.com/kml/2.1" xmlns:gx="http://www.google.com/kml/ext/2.2">
      <Placemark><name>a</name><gx:balloonVisibility>1</gx:balloonVisibility><ExtendedData>
      <SchemaData schemaUrl="#s"><SimpleData name="radius">55.5</SimpleData>
      <SimpleData name="maximumAltitude">120</SimpleData></SchemaData></ExtendedData>
      <Point><altitudeMode>absolute</altitudeMode><coordinates> 1,2 </coordinates></Point>
      </Placemark></kml>
      """
    let file = try read(text, as: .kml)
    #expect(file.conditions.first?.condition.altitude?.maximum == 120)
    let bare = text.replacing(" xmlns=\"http://earth.google.com/kml/2.1\"", with: "")
    #expect(
      try read(bare, as: .kml).conditions.map(\.condition) == file.conditions.map(\.condition))
  }

  @Test func `the identifier is the data's, the id, or made from the name`() throws {
    let file = try read(
      kml(
        placemark(attributes: " id=\"one\"", data: [("radius", "9"), ("identifier", "two")])
          + placemark(attributes: " id=\"one\"") + placemark(name: "My home!")
          + placemark(name: " My  home ") + placemark(name: "My-home") + placemark(name: "Дом")
          + placemark(name: nil) + placemark(name: "Haus &amp; Hof")), as: .kml)
    #expect(
      file.conditions.map(\.identifier) == [
        "two", "one", "My-home", "My-home-2", "My-home-3", "place-b2f1caeb", "Placemark-7",
        "Haus-Hof",
      ])
    #expect(file.notes.count == 3)
    let long = String(repeating: "x", count: 200)
    let cut = try read(kml(placemark(name: long) + placemark(name: long)), as: .kml)
    #expect(cut.conditions.map(\.identifier.count) == [128, 128])
    #expect(cut.conditions.last?.identifier.hasSuffix("x-2") == true)
    // They differ only where a number is put behind them.
    let alike = (100..<200).map { placemark(name: String(repeating: "x", count: 125) + "\($0)") }
    let told = try read(kml((alike + alike).joined()), as: .kml)
    #expect(Set(told.conditions.map(\.identifier)).count == 200)
  }

  @Test func `a running number that GDAL writes as id counts where nothing else does`() throws {
    func places(_ layer: String, _ names: [String?]) -> String {
      let marks = names.enumerated().map { index, name in
        placemark(name: name, attributes: " id=\"\(layer).\(index + 1)\"")
      }
      return "<Folder><name>\(layer)</name>\(marks.joined())</Folder>"
    }
    let file = try read(
      kml(
        places("a", ["Hut", nil]) + places("b", ["Yard", "Gate"])
          + placemark(name: nil, attributes: " id='c.5'", data: [("radius", "9"), ("id", "way/7")])
          + placemark(name: "Ninth", attributes: " id='c.9'", data: [("radius", "9")])
          + placemark(name: "Named", data: [("radius", "9"), ("id", "8")])
          + placemark(name: " ", data: [("radius", "9"), ("id", "Yard 8")])), as: .kml)
    #expect(
      file.conditions.map(\.identifier)
        == ["Hut", "a.2", "Yard", "Gate", "way-7", "Ninth", "Named", "Yard-8"])
  }

  @Test func `links, models and tracks are left out with a note`() throws {
    let file = try read(
      kml(
        placemark() + "<NetworkLink><name>x</name><Link><href>http://x/</href></Link></NetworkLink>"
          + "<Placemark><name>m</name><Model id='m'><Location/></Model></Placemark>"
          + "<Placemark><gx:Track xmlns:gx='http://www.google.com/kml/ext/2.2'><when>x</when>"
          + "</gx:Track></Placemark>"), as: .kml)
    #expect(file.conditions.map(\.identifier) == ["a"])
    #expect(
      file.notes.map { $0.split(separator: ": ").dropFirst().joined(separator: ": ") } == [
        "NetworkLinks skipped, as nothing outside the file is read: 1",
        "models and tracks skipped, as they are no places: 2",
      ])
  }

  @Test
  func
    `a model beside a place leaves that, and one alone isn't skipped where what is missing is removed`()
    throws
  {
    let model = "<Model><Location/></Model>"
    let point = "<Point><coordinates>1,2</coordinates></Point>"
    let radius = "<ExtendedData><Data name='radius'><value>50</value></Data></ExtendedData>"
    let both =
      "<Placemark id='b'>\(radius)<MultiGeometry>\(point)\(model)</MultiGeometry></Placemark>"
    let file = try read(Array(kml(both).utf8), as: .kml, skipsUnlocated: false)
    #expect(file.conditions.map(\.identifier) == ["b"])
    let alone = kml(placemark() + "<Placemark id='m'>\(model)</Placemark>")
    let mistakes = #expect(throws: FileMistakes.self) {
      try read(Array(alone.utf8), as: .kml, skipsUnlocated: false)
    }
    #expect(mistakes?.lines.first?.contains("2: it has no geometry to watch; only without") == true)
  }

  @Test(arguments: [
    "xmlns=''", "xmlns='http://earth.google.com/kml/2.1'", "xsi:schemaLocation='x y'",
  ])
  func `namespaces may be left out, mixed and undeclared`(attribute: String) throws {
    let text = kml("<Folder \(attribute)>" + placemark() + "<atom:link href='x'/></Folder>")
    #expect(try read(text, as: .kml).conditions.map(\.identifier) == ["a"])
  }

  @Test func `of one Placemark no more positions are kept than two conditions may have`() {
    var placemark = Placemark(
      origin: NamedCondition.Origin(path: "", line: 1, kind: "Placemark", number: 1), id: "a")
    let limit = PolygonalGeographicCondition.vertexLimit
    let line = String(repeating: "1,2 ", count: limit / 2)
    for _ in 0..<6 { placemark.add(line, to: "LineString", within: nil) }
    #expect(placemark.whole.shape?.positionCount == 2 * limit)
    #expect(
      placemark.whole.problem?.description
        == "more than \(limit) positions: simplify the shape")
  }

  @Test(arguments: [
    ("<gpx/>", ":1: the outermost element is <gpx>, not <kml>"),
    (kml(""), ": there are no conditions in it"),
    (kml("<Placemark>"), "not XML: mismatched tag"),
    (kml(placemark(data: [])), ":4: Placemark 1: a circle needs \"radius\""),
    (
      kml(placemark(data: [("radius", "wide")])),
      "Placemark 1: \"radius\": 'wide' is no number such as 100 or 0.5"
    ),
    (kml(placemark(data: [("radius", "NaN")])), "Placemark 1: \"radius\": 'NaN' is no number"),
    (
      kml(placemark(data: [("radius", "9"), ("radius", "9")])),
      "Placemark 1: \"radius\" is there twice"
    ),
    (
      kml(placemark()).replacing(
        "<ExtendedData>", with: "<ExtendedData><Data name='maximumAltitude'>200</Data>"),
      "Placemark 1: \"maximumAltitude\": its text has to be in a value"
    ),
    (
      kml(placemark(Self.polygon.replacing("</Polygon>", with: "<innerBoundaryIs/></Polygon>"))),
      "Placemark 1: an innerBoundaryIs needs a LinearRing with coordinates"
    ),
    (
      kml(placemark("<LinearRing><coordinates>16,x 17,48</coordinates></LinearRing>")),
      "Placemark 1: "
    ),
    (
      kml(placemark(data: [("radius", "1e400")])),
      "Placemark 1: \"radius\": the number is out of range"
    ),
    (kml(placemark(data: [("radius", "9"), ("Radius", "9")])), "did you mean 'radius'?"),
    (
      kml(placemark(data: [("radius", "9"), ("identifier", "a b")])),
      "identifier 'a b' is not valid"
    ),
    (
      kml(placemark(attributes: " id='x'") + "\n" + placemark(attributes: " id='x'")),
      ":5: Placemark 2: the identifier 'x' is there twice, first on line 4: Placemark 1"
    ),
    (
      kml(placemark("<Point><coordinates>1, 2</coordinates></Point>")),
      "coordinates '1,': write LONGITUDE,LATITUDE, two numbers without"
    ),
    (
      kml(placemark("<Point><coordinates>1,2,3,4</coordinates></Point>")),
      "coordinates '1,2,3,4': write"
    ),
    (
      kml(placemark("<Point><coordinates>NaN,2</coordinates></Point>")),
      "coordinates 'NaN,2': write"
    ),
    (
      kml(placemark("<Point><coordinates>1e400,2</coordinates></Point>")),
      "a number in the coordinates is out of range"
    ),
    (
      kml(placemark("<Point><coordinates>48.2,116</coordinates></Point>")),
      "are longitude and latitude the wrong way round?"
    ),
    (
      kml(placemark("<Point><coordinates>1,2 3,4</coordinates></Point>")),
      "a Point needs one position"
    ),
    (kml(placemark("<Point><coordinates/></Point>")), "there is nothing in its coordinates"),
    (kml(placemark("<Polygon></Polygon>")), "a Polygon needs one outerBoundaryIs"),
    (
      kml(placemark("<Point><altitudeMode>absolute</altitudeMode></Point>")),
      "its Point, LineString or Polygon has no coordinates"
    ),
    (
      kml(placemark("<MultiGeometry>\(line)\(polygon)</MultiGeometry>")),
      "it mixes points, lines and polygons"
    ),
    (
      kml(
        placemark(
          "<MultiGeometry><Point><coordinates>1,2</coordinates></Point><Point><coordinates>1,2</coordinates></Point></MultiGeometry>"
        )), "it has several Points"
    ),
    (kml(placemark(line, data: [])), "a line needs \"width\""),
  ])
  func `a mistake is told once, with its place`(text: String, says: String) {
    expectMistake(says, in: text, as: .kml)
  }
}
