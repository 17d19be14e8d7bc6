import Foundation
import GeofenceDaemon
import Geofencing
import GeographicFiles
import Positioning
import Testing

@testable import GeofenceCommands

/// What recordings of real receivers lead to, compared with results that were looked at one by one.
///
/// The recordings aren't part of the project: `RECORDINGS` names their folder. The conditions and the
/// expected results are in `Tests/Fixtures/Recordings`.
@Suite struct RecordingResultsTests {
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/Recordings")

  /// The recordings that have an expected result.
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? []
    return files.filter { $0.hasSuffix(".expected") }.map { String($0.dropLast(9)) }.sorted()
  }()

  @Test func `every fixture has conditions and an expected result`() throws {
    #expect(Self.names.count == 20)
    for name in Self.names {
      let path = Self.fixtures.appending(path: "\(name).geojson").path
      #expect(try ConditionsReader(path: path).read().conditions.count == 3)
    }
  }

  @Test(arguments: names)
  func `a recording gives the events that were reviewed`(name: String) async throws {
    guard let folder = ProcessInfo.processInfo.environment["RECORDINGS"] else {
      try Test.cancel("RECORDINGS names no folder of recordings")
    }
    let recordings = try FileManager.default.contentsOfDirectory(atPath: folder)
    let file = try #require(
      recordings.first { $0 == "\(name).nmea" || $0 == "\(name).log" },
      "\(folder) has no recording '\(name)'")
    let conditions = try ConditionsReader(
      path: Self.fixtures.appending(path: "\(name).geojson").path
    ).read()
    let expected = try String(
      contentsOf: Self.fixtures.appending(path: "\(name).expected"), encoding: .utf8)

    var lines = ""
    let replay = Replay(conditions: conditions, configuration: Configuration())
    let result = try await replay.run(Recording(path: "\(folder)/\(file)"), explains: false) {
      lines += EventText.line($0.event, in: .utc)
    }

    #expect(lines + result.summary + "\n" == expected)
  }
}
