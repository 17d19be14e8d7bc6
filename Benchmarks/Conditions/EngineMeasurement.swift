import BenchmarkSupport
import Geofencing
import Glibc
import LinuxSystem

/// geofenced itself, measured like the programs beside it.
struct EngineMeasurement {
  let circles: [CircularGeographicCondition]
  let track: [Coordinate]
  let devices: [Coordinate]
  private let motions: [Workload.Motion]

  /// The time of the first fix; only differences matter.
  private static let start = Timestamp(nanoseconds: 1_700_000_000_000_000_000)

  init(_ workload: Workload) throws {
    func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
      try Coordinate(validLatitude: latitude, longitude: longitude)
    }
    circles = try workload.circles.map {
      try CircularGeographicCondition(
        center: coordinate($0.latitude, $0.longitude), radius: $0.radius)
    }
    track = try workload.track.map { try coordinate($0.latitude, $0.longitude) }
    devices = try workload.devices.map { try coordinate($0.latitude, $0.longitude) }
    motions = workload.motions
  }

  /// Measures everything.
  ///
  /// - Parameter done: Called with each result.
  func run(_ done: (Result) throws -> Void) throws {
    try measureContainment(done)
    try measureRule(done)
    try measurePolygons(done)
  }

  /// Measures the engine as the daemon uses it: loaded, driven along the track, and then changed.
  private func measureRule(_ done: (Result) throws -> Void) throws {
    var result = Result("geofenced-rule", version: "geofenced")
    var engine = try load(&result) { try Condition(shape: .circle(circles[$0])) }
    drive(&engine, &result)
    result.stateMemory = Double(engine.bytes)
    try done(result)
    // The same again with fixes that also have what receivers report.
    var motion = Result("geofenced-rule-motion", version: "geofenced")
    drive(&engine, withMotions: true, &motion)
    try done(motion)
    try measureChanges(&engine, done)
  }

  /// Measures the engine with a polygon for each circle.
  private func measurePolygons(_ done: (Result) throws -> Void) throws {
    // A million polygons take gigabytes.
    guard circles.count <= 100_000 else { return }
    let rings = circles.map { circle in
      Workload.corners(of: circle).map { position in
        Position(longitude: position.longitude, latitude: position.latitude)
      }
    }
    var result = Result("geofenced-polygons-rule", version: "geofenced")
    var engine = try load(&result) {
      try Condition(shape: .polygon(PolygonalGeographicCondition(coordinates: [[rings[$0]]])))
    }
    drive(&engine, &result)
    try done(result)
  }

  /// Makes an engine that watches all conditions; making and checking them is a part of loading.
  private func load(
    _ result: inout Result, _ condition: (Int) throws -> Condition
  ) rethrows -> ConditionEngine {
    let before = Self.memory
    let began = Stopwatch.now
    let monitor = MonitorKey(user: 1000, name: "bench")
    var engine = ConditionEngine()
    for index in circles.indices {
      let key = ConditionKey(monitor: monitor, identifier: "c\(index)")
      _ = engine.add(try condition(index), as: key, assuming: .unsatisfied, at: Self.start)
    }
    result.build = Stopwatch.now - began
    result.memory = Self.memory - before
    return engine
  }

  /// Measures the time for a fix along the track.
  private func drive(
    _ engine: inout ConditionEngine, withMotions: Bool = false, _ result: inout Result
  ) {
    var time = (engine.lastFix?.timestamp ?? Self.start).nanoseconds
    var decisions = 0
    (result.firstTrack, result.track) = Stopwatch.measure { isOver in
      for index in track.indices {
        time += 1_000_000_000
        // The vehicle drives the same way again and again, and doesn't drive from its end back to its start.
        var fix = Location(
          timestamp: Timestamp(nanoseconds: time), coordinate: track[index],
          followsDiscontinuity: index == 0)
        if withMotions {
          // The noise of the track: 1.5 m along each axis.
          fix.horizontalAccuracy = 1.5 * Location.sigmasIn68Percent
          fix.speed = motions[index].speed
          fix.course = motions[index].course
        }
        decisions += engine.process(fix).count
        if index % 256 == 255, isOver() { return index + 1 }
      }
      return track.count
    }
    // The count is used, so that the compiler can't leave out its computation.
    if decisions == 0 { result.note = "no decisions" }
  }

  /// Adds, replaces and removes single conditions among all.
  private func measureChanges(
    _ engine: inout ConditionEngine, _ done: (Result) throws -> Void
  ) throws {
    let count = min(20_000, max(10, circles.count / 50))
    let monitor = MonitorKey(user: 1000, name: "changes")
    let now = engine.lastFix?.timestamp ?? Self.start
    // Near existing circles, in another order.
    let changes = try (0..<count).map { index in
      let near = circles[index &* 7919 % circles.count]
      func condition(_ growth: Double) throws -> Condition {
        try Condition(
          shape: .circle(
            CircularGeographicCondition(center: near.center, radius: near.radius + growth)))
      }
      return (
        key: ConditionKey(monitor: monitor, identifier: "c\(index)"), new: try condition(1),
        other: try condition(2)
      )
    }
    try done(
      Self.each("geofenced-add", changes) { _ = engine.add($0.new, as: $0.key, at: now) })
    try done(
      Self.each("geofenced-replace", changes) { _ = engine.add($0.other, as: $0.key, at: now) })
    try done(
      Self.each("geofenced-remove", changes) {
        _ = engine.remove($0.key, because: .removed, at: now)
      })
  }

  /// Measures the processor time of each change.
  private static func each<Change>(
    _ name: String, _ changes: [Change], _ body: (Change) -> Void
  ) -> Result {
    let times = changes.map { change in
      let began = Stopwatch.now
      body(change)
      return (Stopwatch.now - began) * 1e9
    }
    let distribution = Distribution(times)
    var result = Result(name, version: "geofenced")
    result.changeMedian = distribution?.median
    result.changeWorst = distribution?.most
    return result
  }

  /// The memory of this process in bytes, without files and without memory that was freed.
  static var memory: Double {
    ProcessMemory.releaseHeap()
    return FileContents.processStatus("RssAnon").map { Double($0) * 1024 } ?? .nan
  }
}
