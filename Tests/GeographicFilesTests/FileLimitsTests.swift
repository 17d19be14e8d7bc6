import Geofencing
import Testing

@testable import GeographicFiles

/// How much one file may hold, and one shape in it.
@Suite struct FileLimitsTests {
  @Test func `each track of a file has its own positions`() throws {
    // Together they are more than one may have.
    let count = Mistake.positionLimit / 3 + 1
    let points = (0..<count).map { number in
      "<trkpt lat='\(Double(number) / 10_000)' lon='1'/>"
    }.joined()
    let tracks = (1...3).map { "<trk><name>t\($0)</name><trkseg>\(points)</trkseg></trk>" }
    let file = try read(gpx(tracks.joined()), as: .gpx, width: 20)
    #expect(file.conditions.map(\.identifier) == ["t1", "t2", "t3"])
    for named in file.conditions {
      guard case .corridor(let corridor) = named.condition.shape else {
        Issue.record("it is no corridor")
        continue
      }
      #expect(corridor.vertexCount == count)
    }
  }

  @Test func `a file has ten million positions at most, also in shapes that are left out`() throws {
    var collector = ConditionCollector(for: ConditionsReader(path: "f", onlyShapes: .polygon))
    var draft = ConditionDraft()
    let position = Position(longitude: 0, latitude: 0)
    draft.shape = .lines([Array(repeating: position, count: 1_000_000)])
    for line in 1...10 {
      try collector.add(draft, at: collector.origin(line: line, kind: "trk"))
    }
    draft.shape = .point(position)
    let mistakes = #expect(throws: FileMistakes.self) {
      try collector.add(draft, at: collector.origin(line: 11, kind: "wpt"))
    }
    #expect(mistakes?.lines == ["f:11: more than 10000000 positions in one file"])
  }
}
