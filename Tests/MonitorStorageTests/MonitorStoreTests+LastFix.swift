import Geofencing
import JSONCoding
import MonitorStorage
import SQLite
import TestSupport
import Testing

/// What it keeps of the receiver.
extension `The monitor store` {
  @Test(arguments: ["", "{}", "null", "{\"timestamp\":7}"])
  func `has no last fix when it can't be read`(text: String) throws {
    try database.connection.run(
      "INSERT OR REPLACE INTO last_fix (id, location) VALUES (0, ?)", [.text(text)])
    #expect(try store.lastFix() == nil)
  }

  /// A fix of which everything is known, with a receiver of so many characters.
  private func fullFix(deviceLength: Int = 12) throws -> Location {
    var fix = Location(
      timestamp: at(1.5), coordinate: try Coordinate(validLatitude: 1.1, longitude: 2.2),
      horizontalAccuracy: 4.567_89, speed: 3, mode: 2, isSimulated: true,
      followsDiscontinuity: true)
    fix.device = String("/dev/ttyÄCM0/0123456789".prefix(deviceLength))
    fix.altitude = -0.1
    fix.ellipsoidalAltitude = 47.25
    fix.verticalAccuracy = 4.6 / 1.96
    fix.speedAccuracy = 0.37 / 1.96
    fix.course = 359.9
    fix.courseAccuracy = 1.5
    fix.satellitesUsed = 9
    return fix
  }

  @Test(arguments: [0, 1, 7, 8, 9, 12, 16])
  func `keeps the last fix whole, and only the last`(deviceLength: Int) throws {
    #expect(try store.lastFix() == nil)
    var fix = try fullFix(deviceLength: deviceLength)
    try store.update(lastFix: fix)
    #expect(try store.lastFix() == fix)
    fix = Location(
      timestamp: at(-2), coordinate: try Coordinate(validLatitude: -90, longitude: 180))
    try store.update(lastFix: fix)
    #expect(try store.lastFix() == fix)
    #expect(try database.connection.query("SELECT count(*) FROM last_fix") == [[1]])
  }

  @Test func `reads the last fix of a program that wrote it as JSON`() throws {
    let fix = try fullFix()
    try database.connection.run(
      "INSERT INTO last_fix (id, location) VALUES (0, ?)", [.text(try CanonicalJSON.text(fix))])
    #expect(try store.lastFix() == fix)
  }

  /// Each of a fix's numbers may be another one; the eighth is where the row says what is there.
  @Test(arguments: [
    "substr(location, 9)", "substr(location, 1, length(location) - 8)", "substr(location, 2)",
    "location || x'0000000000000000'", "x''", "12",
    // Another form, no latitude, more than true, a value that nobody knows of.
    "x'0200000000000000' || substr(location, 9)",
    "substr(location, 1, 16) || x'ffffffffffffffff' || substr(location, 25)",
    "substr(location, 1, 40) || x'0200000000000000' || substr(location, 49)",
    "substr(location, 1, 56) || x'ff07000000000000' || substr(location, 65)",
  ])
  func `has no last fix when its numbers are damaged`(damaged: String) throws {
    try store.update(lastFix: try fullFix())
    try database.connection.execute("UPDATE last_fix SET location = CAST(\(damaged) AS BLOB)")
    #expect(try store.lastFix() == nil)
  }

  @Test func `keeps what was learned of the motion beside the last fix`() throws {
    var engine = ConditionEngine()
    var fix = Location(
      timestamp: at(0), coordinate: try Coordinate(validLatitude: 48, longitude: 11.5),
      horizontalAccuracy: 5, speed: 12)
    fix.course = 0
    for second in 0..<20 {
      fix.timestamp = at(Double(second))
      fix.coordinate = fix.coordinate.moved(by: 12, bearing: 0)
      _ = engine.process(fix)
    }
    let motion = try #require(engine.learnedMotion)
    try store.update(lastFix: fix, motion: motion)
    #expect(try store.lastFix() == fix)
    #expect(try store.learnedMotion()?.words == motion.words)
    // Half of it, or another thing, is as good as nothing.
    for damaged in ["substr(motion, 9)", "substr(motion, 2)", "'text'", "x''", "12"] {
      try store.update(lastFix: fix, motion: motion)
      try database.connection.execute("UPDATE last_fix SET motion = \(damaged)")
      #expect(try store.learnedMotion() == nil, "\(damaged)")
    }
    // It is of the fix that it came with.
    try store.update(lastFix: fix)
    #expect(try store.learnedMotion() == nil)
  }
}
