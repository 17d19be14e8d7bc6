import Geofencing
import JSONCoding
import XML

/// Makes epochs out of the points of GPX tracks (1.0 and 1.1), one for each.
///
/// Read are `time`, `ele`, `geoidheight`, `fix`, `sat`, `hdop` and `vdop` of a `trkpt`, and `speed`
/// and `course` wherever in it GPX 1.0 or somebody's extensions put them; waypoints and routes have no
/// times and pass. Errors come from the dilutions of precision with gpsd's factors, but for programs
/// that write the error itself there. A point without a position ends the reading, and so does a track
/// without any time, because nothing could be judged by it.
struct GPXTrackReader: ~Copyable {
  /// How many points were read.
  private(set) var points = 0

  /// The line of the first one without a time, until one has a time.
  private var firstUndated: Int?
  private var hasDated = false

  private var reader = XMLReader()
  private var elements: [XMLEvent] = []
  /// How many elements are open.
  private var depth = 0
  private var namespace = ""
  /// Whether `hdop` is Android's accuracy: the radius in metres of 68 %.
  private var isHDOPRadius = false
  private var point: Point?

  /// What is known of the point that is being read.
  private struct Point {
    let line: Int
    let depth: Int
    var tpv = TPV()
    var satellites: Int?
    var hdop: Double?
    var vdop: Double?
    var geoidSeparation: Double?
    var fix: String?
    /// The name of the open element, and whether it stands in the point itself.
    var open = (name: "", isOwn: false)
  }

  /// Reads the next bytes, none at the end, and appends what they complete.
  ///
  /// - Throws: `XMLMistake`: what isn't XML, or no track to be judged.
  mutating func read(_ bytes: [UInt8], into events: inout [SourceEvent]) throws(XMLMistake) {
    elements.removeAll(keepingCapacity: true)
    let mistake: XMLMistake?
    do throws(XMLMistake) {
      try reader.read(bytes, isLast: bytes.isEmpty, into: &elements)
      mistake = nil
    } catch {
      mistake = error
    }
    for element in elements {
      switch element {
      case .start(let element): try start(element)
      case .end(let text): try end(text, &events)
      }
    }
    if bytes.isEmpty, mistake == nil, !hasDated, let line = firstUndated {
      throw XMLMistake(
        line: line, problem: "no trkpt has a time: what has none can't be judged")
    }
    if let mistake {
      throw XMLMistake(line: mistake.line, problem: "not XML: \(mistake.problem)")
    }
  }

  private mutating func start(_ element: XMLElement) throws(XMLMistake) {
    if depth == 0 {
      guard element.name == "gpx" else {
        throw XMLMistake(
          line: element.line, problem: "the outermost element is <\(element.name)>, not <gpx>")
      }
      namespace = element.namespace
      // https://github.com/osmandapp/OsmAnd/issues/3445
      let creator = element.attributes["creator"] ?? ""
      isHDOPRadius = creator.hasPrefix("OsmAnd") || creator.hasPrefix("Locus")
    }
    depth += 1
    if var point {
      let isOwn = depth == point.depth + 1 && element.namespace == namespace
      // Assigned through the optional, what stood there before would leak (Swift 6.3, ~Copyable).
      point.open = (element.name, isOwn)
      self.point = point
    } else if element.name == "trkpt" {
      guard let latitude = element.attributes["lat"].flatMap(decimal),
        let longitude = element.attributes["lon"].flatMap(decimal)
      else {
        throw XMLMistake(line: element.line, problem: "a trkpt needs lat and lon, in degrees")
      }
      var point = Point(line: element.line, depth: depth)
      point.tpv.latitude = latitude
      point.tpv.longitude = longitude
      self.point = point
    }
  }

  private mutating func end(_ text: String, _ events: inout [SourceEvent]) throws(XMLMistake) {
    depth -= 1
    guard var point else { return }
    if depth < point.depth {
      try finish(point, &events)
      self.point = nil
      return
    }
    switch point.open.name {
    case "speed": point.tpv.speed = decimal(text)
    case "course": point.tpv.track = decimal(text)
    case _ where !point.open.isOwn: break
    case "time":
      // Some leave out that it is UTC, which it always is, or an offset's colon.
      point.tpv.time =
        Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "Z")
        ?? Timestamp(rfc3339: "\(text.dropLast(2)):\(text.suffix(2))")
      // Without a date in it programs write nothing, or the first one that they know.
      if point.tpv.time == nil, !text.isEmpty, !text.hasPrefix("000") {
        throw XMLMistake(
          line: point.line,
          problem: "the time of a trkpt \(Timestamp.mistake(inRFC3339: text))")
      }
    case "ele": point.tpv.altitudeMSL = decimal(text)
    case "geoidheight": point.geoidSeparation = decimal(text)
    case "fix": point.fix = text
    case "sat": point.satellites = Int(text)
    case "hdop": point.hdop = decimal(text)
    case "vdop": point.vdop = decimal(text)
    default: break
    }
    point.open = ("", false)
    self.point = point
  }

  private mutating func finish(
    _ point: Point, _ events: inout [SourceEvent]
  ) throws(XMLMistake) {
    points += 1
    var tpv = point.tpv
    if tpv.time != nil { hasDated = true } else { firstUndated = firstUndated ?? point.line }
    if let altitude = tpv.altitudeMSL, let separation = point.geoidSeparation {
      tpv.altitudeHAE = altitude + separation
    }
    let isDifferential = point.fix == "dgps"
    tpv.status = isDifferential ? 2 : 1
    tpv.mode =
      switch point.fix {
      case "none": 1
      case "2d": 2
      case "3d": 3
      default: tpv.altitudeMSL == nil ? 2 : 3
      }
    if let hdop = point.hdop, hdop > 0 {
      if isHDOPRadius {
        // What an estimate of gpsd means can be configured, this is known.
        let sigma = hdop / Location.sigmasIn68Percent
        tpv.gst = TPV.GST(north: sigma, east: sigma, up: nil)
      } else {
        tpv.eph = DilutionOfPrecision.horizontalError(hdop, isDifferential: isDifferential)
      }
    }
    if let vdop = point.vdop, vdop > 0 {
      tpv.epv = DilutionOfPrecision.verticalError(vdop, isDifferential: isDifferential)
    }
    if let satellites = point.satellites, (0...255).contains(satellites) {
      events.append(.sky(used: satellites, seen: satellites))
    }
    events.append(.tpv(tpv))
    events.append(.epochComplete())
  }
}

/// The number that a text says, if it says one.
private func decimal(_ text: String) -> Double? {
  if case .number(let number) = DecimalText(text) { number } else { nil }
}
