import Geofencing
import TestSupport
import Testing

@testable import GeographicFiles

@Suite struct `GPX files` {
  private static func waypoint(_ inside: String) -> String {
    "<wpt lat=\"48.2\" lon=\"16.3\"><ele>170</ele>\(inside)</wpt>"
  }

  @Test func `waypoints, routes and tracks are circles and corridors`() throws {
    let file = try read(
      gpx(
        "<metadata><name>not this</name></metadata>"
          + Self.waypoint("<name>My home</name><extensions><g:radius>9</g:radius></extensions>")
          + Self.waypoint("<name>My home</name>")
          + "<rte><name>way</name><extensions><o:width>7</o:width></extensions>"
          + "<rtept lat='1' lon='2'><name>x</name></rtept><rtept lat='3' lon='4'/></rte>"
          + "<trk><trkseg><trkpt lat='1' lon='2'><ele>1</ele></trkpt><trkpt lat='3' lon='4'/>"
          + "</trkseg><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='2'/></trkseg><trkseg/><trkseg>"
          + "<trkpt lat='5' lon='6'/><trkpt lat='7' lon='8'/></trkseg></trk>"), as: .gpx, width: 30,
      radius: 50)
    #expect(file.conditions.map(\.identifier) == ["My-home", "My-home-2", "way", "trk-1"])
    let shapes = file.conditions.map(\.condition.shape)
    guard case .circle(let first) = shapes[0], case .circle(let second) = shapes[1],
      case .corridor(let route) = shapes[2], case .corridor(let track) = shapes[3]
    else { throw TestFailure("\(shapes)") }
    #expect(first.radius == 9 && second.radius == 50 && first.center.latitude == 48.2)
    #expect(route.width == 7 && route.lines.map(\.count) == [2])
    #expect(track.width == 30 && track.lines.map(\.count) == [2, 2])
  }

  @Test func `what lies in an extension's element isn't the file's own`() throws {
    let inner = "<x><wpt lat='9' lon='9'/><rte><rtept lat='9' lon='9'/></rte><trkseg/></x>"
    let file = try read(
      gpx(
        Self.waypoint("<name>a</name><extensions>\(inner)<radius>100</radius></extensions>")
          + "<rte><name>b</name><extensions>\(inner)<rte><rtept lat='9' lon='9'/></rte></extensions>"
          + "<rtept lat='1' lon='2'/><rtept lat='3' lon='4'/></rte>"
          + Self.waypoint("<name>c</name><extensions><wpt>\(inner)</wpt></extensions>")),
      as: .gpx, width: 30, radius: 50)
    #expect(file.conditions.map(\.identifier) == ["a", "b", "c"])
    guard case .circle = file.conditions[0].condition.shape,
      case .corridor(let route) = file.conditions[1].condition.shape
    else { throw TestFailure("\(file.conditions)") }
    #expect(route.lines.map(\.count) == [2])
    #expect(file.conditions.map(\.condition.shape).count == 3)
  }

  @Test func `a route follows the road that Garmin's programs put between its points`() throws {
    func route(_ inside: String) -> String {
      gpx(
        "<rte><name>r</name><rtept lat='1' lon='2'>\(inside)</rtept><rtept lat='3' lon='4'/></rte>"
      )
      .replacing(
        "xmlns:o=", with: "xmlns:x=\"http://www.garmin.com/xmlschemas/GpxExtensions/v3\" xmlns:o=")
    }
    let road =
      "<name>A</name><extensions><o:other><x:rpt lat='9' lon='9'/></o:other><x:RoutePointExtension>"
      + "<x:Subclass>0</x:Subclass><x:rpt lat='1' lon='2'/><x:rpt lat='1.5' lon='2.5'/>"
      + "<o:rpt lat='9' lon='9'/></x:RoutePointExtension></extensions>"
    let file = try read(route(road), as: .gpx, width: 30)
    guard case .corridor(let following) = file.conditions[0].condition.shape,
      case .corridor(let straight) = try read(
        route(road.replacing("x:Route", with: "o:Route")), as: .gpx, width: 30
      ).conditions[0].condition.shape
    else { throw TestFailure("\(file)") }
    #expect(file.conditions.map(\.identifier) == ["r"])
    #expect(following.lines.map { $0.map(\.latitude) } == [[1, 1.5, 3]])
    #expect(straight.lines.map { $0.map(\.latitude) } == [[1, 3]])
    expectMistake(
      "rte 1: a rpt needs lat and lon", in: route(road.replacing("lat='1.5'", with: "")), as: .gpx)
  }

  @Test func `a waypoint's proximity of Garmin's is the radius of one that has none`() throws {
    func extensions(_ namespace: String, _ proximity: String) -> String {
      "<x:WaypointExtension xmlns:x=\"http://www.garmin.com/xmlschemas/\(namespace)\">"
        + "<x:Proximity>\(proximity)</x:Proximity><x:DisplayMode>SymbolOnly</x:DisplayMode>"
        + "<x:Other><x:Proximity>7</x:Proximity></x:Other></x:WaypointExtension>"
    }
    let (gpxx, wptx1) = ("GpxExtensions/v3", "WaypointExtension/v1")
    let contents = [
      extensions(gpxx, "150.5"), extensions(wptx1, "80"),
      extensions(gpxx, "30") + extensions(wptx1, "30") + "<g:enterAfter>5</g:enterAfter>",
      extensions(gpxx, "30") + "<g:radius>20</g:radius>", extensions(gpxx, "0"),
      extensions(gpxx, "near"), extensions("TrackPointExtension/v1", "30"),
    ]
    let file = try read(
      gpx(contents.map { Self.waypoint("<extensions>\($0)</extensions>") }.joined()), as: .gpx,
      radius: 9)
    let radii = file.conditions.map { named in
      if case .circle(let circle) = named.condition.shape { circle.radius } else { 0.0 }
    }
    #expect(radii == [150.5, 80, 30, 20, 9, 9, 9])
    #expect(file.conditions[2].condition.enterAfter == .seconds(5))
  }

  @Test func `a closed line is taken, and a note says that it is no area`() throws {
    func points(_ places: [(Int, Int)], _ name: String) -> String {
      places.map { "<\(name) lat='\($0.0)' lon='\($0.1)'/>" }.joined()
    }
    let ring = [(1, 2), (3, 4), (1, 4), (1, 2)]
    let back = [(1, 2), (3, 4), (1, 2)]
    let open = "<rte>\(points(back, "rtept"))</rte>"
    let file = try read(
      gpx(
        "<rte>\(points(ring, "rtept"))</rte><trk><trkseg>\(points(ring, "trkpt"))</trkseg></trk>\(open)"
      ),
      as: .gpx, width: 30)
    #expect(file.conditions.map(\.identifier) == ["rte-1", "trk-1", "rte-2"])
    #expect(
      file.notes.first?.hasSuffix(
        ": routes or tracks that are closed: 2; their edge is watched, not what it encloses; GeoJSON and "
          + "KML have polygons") == true, "\(file.notes)")
    #expect(try read(gpx(open), as: .gpx, width: 30).notes.count == 1)
  }

  @Test func `what others put into a file is theirs, as in GPX 1.0`() throws {
    let file = try read(
      """
      <gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0" xmlns:o="urn:other">
      <wpt lat="1" lon="2"><name>a</name><o:radius>20</o:radius><o:expires>never</o:expires>
      <o:line><o:radius>7</o:radius></o:line><o:width>bold</o:width><o:Radius>1</o:Radius><o:confidence>99</o:confidence><o:exitAfter>5</o:exitAfter></wpt></gpx>
      """, as: .gpx)
    guard case .circle(let circle) = file.conditions.first?.condition.shape else {
      throw TestFailure("\(file)")
    }
    #expect(circle.radius == 20)
  }

  @Test func `an empty option is as good as none`() throws {
    let file = try read(
      gpx(
        Self.waypoint(
          "<extensions><g:radius>9</g:radius><g:width/><g:expires> </g:expires></extensions>")),
      as: .gpx)
    #expect(file.conditions.count == 1 && file.conditions.first?.condition.expires == nil)
  }

  @Test(arguments: [
    ("<kml/>", ":1: the outermost element is <kml>, not <gpx>"),
    (gpx(""), ": there are no conditions in it"),
    (gpx(waypoint("")), ":3: wpt 1: a circle needs \"radius\""),
    (gpx("<wpt lat='1'/>"), "wpt 1: a wpt needs lat and lon"),
    (gpx("<wpt lat='x' lon='1'/>"), "wpt 1: \"lat\" of a wpt is not a number: 'x'"),
    (gpx("<wpt lat='NaN' lon='1'/>"), "wpt 1: \"lat\" of a wpt is not a number: 'NaN'"),
    (gpx("<wpt lat='1e400' lon='1'/>"), "wpt 1: \"lat\": the number is out of range"),
    (
      gpx("<wpt lat='91' lon='1'><extensions><g:radius>9</g:radius></extensions></wpt>"),
      "wpt 1: latitude 91.0 is out of range"
    ),
    (
      gpx(waypoint("<extensions><g:radius>far</g:radius></extensions>")),
      "\"radius\": 'far' is no number such as 100 or 0.5"
    ),
    (gpx(waypoint("<extensions><g:Radius>9</g:Radius></extensions>")), "did you mean 'radius'?"),
    (
      gpx(waypoint("<extensions><g:radius>9</g:radius><g:dwell>60</g:dwell></extensions>")),
      "there is no property \"dwell\" in geofenced's namespace"
    ),
    (
      gpx(waypoint("<extensions><g:all><g:radius>9</g:radius></g:all></extensions>")),
      "there is no property \"all\" in geofenced's namespace"
    ),
    (
      gpx("\n<rte><rtept lat='1' lon='2'/><rtept lat='3' lon='4'/></rte>"),
      ":4: rte 1: a line needs \"width\""
    ),
    (gpx("<rte><rtept lat='1' lon='2'/></rte>"), "rte 1: it has no line of two different points"),
    (
      gpx("<trk><trkseg><trkpt lat='1' lon='2'/><trkpt lon='2'/></trkseg></trk>"),
      "trk 1: a trkpt needs lat and lon"
    ),
  ])
  func `a mistake is told once, with its place`(text: String, says: String) {
    expectMistake(says, in: text, as: .gpx)
  }

  @Test func `options of an undeclared prefix count where it is the documented one`() throws {
    let text = """
      <gpx><wpt lat="1" lon="2"><name>a</name><extensions><geofenced:radius>50</geofenced:radius>
      <geofenced:enterAfter>60</geofenced:enterAfter><other:exitAfter>9</other:exitAfter></extensions></wpt></gpx>
      """
    let condition = try #require(try read(text, as: .gpx).conditions.first?.condition)
    #expect(condition.enterAfter == .seconds(60) && condition.exitAfter == nil)
  }
}
