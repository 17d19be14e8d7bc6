import Geofencing
import JSONCoding
import SQLite
import TestSupport
import Testing

@testable import MonitorStorage

/// Explanations, which come and go with their events.
@Suite struct ExplanationStorageTests: StorageSuite {
  let opened: OpenedState

  init() throws { opened = try OpenedState() }

  /// An explanation by so many fixes, every value of which is set.
  private func explanation(_ count: Int = 16) throws -> Explanation {
    var engine = ConditionEngine()
    _ = engine.add(try circle(), as: home, assuming: .unsatisfied, at: at(0))
    var explanation = try #require(engine.explanation(of: home))
    explanation.date = at(Double(count))
    explanation.candidate = .satisfied
    explanation.outcome = .decided
    (explanation.confidenceAtRest, explanation.isUnproven) = (0.995, true)
    (explanation.hasOwnConfidence, explanation.hasOwnTime) = (true, true)
    explanation.wasSeen = true
    (explanation.fixes, explanation.fixesNeeded) = (2, 2)
    (explanation.seconds, explanation.secondsNeeded) = (1.2, 1)
    explanation.evidence = (0..<count).map { index in
      var evidence = Explanation.Evidence(timestamp: at(Double(index) + 0.001))
      evidence.latitude = 47.376_912_3 + Double(index) * 1e-7
      evidence.longitude = 8.541_712_3
      evidence.horizontalAccuracy = 4.529
      evidence.speed = 13.889
      evidence.distance = -12.346
      evidence.sigma = 4.501
      evidence.probability = 0.996_912
      evidence.verdict = .inside
      return evidence
    }
    return explanation.rounded
  }

  @discardableResult
  private func append(
    _ explanation: Explanation?, recorded: Double = 0
  ) throws -> Event {
    try log.append(
      [Decision(transition(), explanation: explanation)], status: { _ in nil }, lastFix: nil,
      recorded: at(recorded))[0].event
  }

  private func sequences() throws -> [Int64] {
    try database.connection.query("SELECT sequence FROM explanation ORDER BY sequence") {
      try $0.integer(0)
    }
  }

  @Test func `is given back with its event as it was`() async throws {
    var odd = try explanation(4)
    odd.evidence[0] = Explanation.Evidence(timestamp: nil)
    odd.evidence[1].verdict = nil
    odd.evidence[1].rejection = "noFix"
    odd.evidence[1].count = 599
    odd.evidence[2].horizontalAccuracy = nil
    odd.evidence[3].timestamp = at(-3600)
    (odd.evidence[3].altitude, odd.evidence[3].verticalSigma) = (431.25, 12)
    var empty = try explanation(0)
    (empty.date, empty.candidate) = (nil, nil)
    (empty.confidenceAtRest, empty.isUnproven) = (nil, nil)
    (empty.outcome, empty.state, empty.previousState) = (.noFix, .unmonitored, .satisfied)
    empty.isAccuracyLimited = true
    for (index, stored) in [try explanation(), odd, empty].enumerated() {
      let event = try append(stored)
      let found = try #require(try await reader.event(Int64(index) + 1))
      #expect(found.event == event)
      #expect(found.explanation == stored)
    }
    try append(nil)
    let without = try #require(try await reader.event(4))
    #expect(without.explanation == nil)
    #expect(try await reader.event(5) == nil)
    #expect(try await reader.event(1, matching: .init(user: 7)) == nil)
    #expect(try await reader.event(1, matching: .init(user: 1000)) != nil)
    // It is no part of the event.
    #expect(try await reader.page(after: 0, limit: 9).events.count == 4)
    let body = try database.connection.query("SELECT body FROM event WHERE sequence = 1")
    #expect(body[0][0].text?.contains("evidence") == false)
  }

  @Test func `is rounded when it is read`() async throws {
    var exact = try explanation(1)
    (exact.seconds, exact.secondsNeeded) = (1.234_567, 1.000_04)
    exact.unknownAfterSeconds = 600.123_456
    exact.confidenceAtRest = 0.995_123_456
    exact.evidence[0].latitude = 47.123_456_789
    exact.evidence[0].timestamp = at(3.000_4)
    exact.evidence[0].probability = 0.123_456_78
    exact.date = Timestamp(nanoseconds: .min)
    try append(exact)
    let found = try #require(try await reader.event(1)?.explanation)
    #expect(found == exact.rounded && found != exact)
    // Whoever is told of it can read it, too.
    #expect(try CanonicalJSON.decode(Explanation.self, from: CanonicalJSON.encode(found)) == found)
  }

  @Test func `that an older program wrote as a text is read`() async throws {
    try append(nil)
    let text = """
      {"head":{"candidate":"satisfied","confidence":0.95,"date":"2026-01-01T00:00:02.000Z","evidence":[],\
      "fixes":2,"fixesNeeded":2,"isAccuracyLimited":false,"outcome":"decided",\
      "previousState":"unsatisfied","seconds":1.2,"secondsNeeded":1,"state":"satisfied",\
      "unknownAfterSeconds":300},"origin":"2026-01-01T00:00:01.000Z",\
      "rows":[[0,47.1,8.2,4.5,13.9,-12.3,4.6,0.997,"inside"],[1000,null,null,null,null,null,null,null,\
      null,"noFix",599],[-500,47.1,8.2,null,null,1,2,0.5,"undecided",null,null,431.25,12]]}
      """
    try database.connection.run("INSERT INTO explanation VALUES (1, ?)", [.text(text)])
    let found = try #require(try await reader.event(1)?.explanation)
    #expect(found.outcome == .decided && found.candidate == .satisfied && found.seconds == 1.2)
    #expect(found.evidence.map(\.verdict) == [.inside, nil, .undecided])
    #expect(found.evidence.map(\.count) == [nil, 599, nil])
    #expect(found.evidence.map(\.altitude) == [nil, nil, 431.25])
    let first = try #require(found.evidence[0].timestamp)
    #expect(found.evidence[2].timestamp == first + .milliseconds(-500))
  }

  @Test func `has a place for everything that is known of a fix`() {
    // A value that is added to the evidence has to be added to what is stored.
    let names = Mirror(reflecting: Explanation.Evidence(timestamp: nil)).children.map(\.label)
    #expect(
      names == [
        "timestamp", "latitude", "longitude", "horizontalAccuracy", "speed", "distance", "sigma",
        "altitude", "verticalSigma", "probability", "verdict", "rejection", "count",
      ])
  }

  @Test func `takes less than two kilobytes at the most`() throws {
    try append(try explanation())
    let stored = try #require(
      try database.connection.query("SELECT length(body) FROM explanation").first?.first?.integer)
    let plain = try CanonicalJSON.encode(try explanation()).count
    #expect(stored < 1700 && stored * 2 < plain, "\(stored) of \(plain) bytes")
  }

  @Test func `is written with its event or not at all`() async throws {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try log.append(
        [Decision(transition(), explanation: try explanation())], status: { _ in nil },
        lastFix: nil,
        recorded: at(0), with: { _ in throw Refused() })
    }
    #expect(try sequences() == [])
    try database.connection.execute(
      """
      CREATE TRIGGER broken BEFORE INSERT ON explanation
      BEGIN SELECT RAISE(ABORT, 'no room left'); END
      """)
    #expect(throws: SQLiteError.self) { try append(try explanation()) }
    #expect(log.lastSequence == 0)
    #expect(try await reader.page(after: 0, limit: 9).events == [])
    try database.connection.execute("DROP TRIGGER broken")
    #expect(try append(try explanation()).sequence == 1)
    #expect(try sequences() == [1])
  }

  @Test func `goes when its event goes, for age or number or by hand`() async throws {
    for second in 1...8 { try append(try explanation(1), recorded: Double(second)) }
    #expect(try await reader.oldest()?.sequence == 1)
    // The number of events that were dropped doesn't count their explanations.
    #expect(try log.retain(6, since: nil).dropped == 2)
    #expect(try sequences() == [3, 4, 5, 6, 7, 8])
    #expect(try log.retain(6, since: at(5)).dropped == 2)
    #expect(try sequences() == [5, 6, 7, 8])
    #expect(try await reader.oldest()?.sequence == 5)
    try database.connection.run("DELETE FROM event WHERE sequence = 6")
    #expect(try sequences() == [5, 7, 8])
    #expect(try log.retain(0, since: nil).dropped == 3)
    #expect(try sequences() == [])
    #expect(try await reader.oldest()?.sequence == nil)
  }

  @Test func `that can't be read hides no event`() async throws {
    let event = try append(try explanation(1))
    for body in ["", "{}", "nonsense", #"{"head":{},"rows":[[1]]}"#] {
      try database.connection.run("UPDATE explanation SET body = ?", [.text(body)])
      let found = try #require(try await reader.event(1))
      #expect(found.event == event && found.explanation == nil)
    }
    // Numbers that are cut off, too many, or each of them another one.
    let words = try explanation(2).words
    var wrong = (0..<words.count).map { Array(words.prefix($0)) } + [words + [0]]
    wrong += words.indices.flatMap { place in
      [UInt64.max, 1 << 63, Double.nan.bitPattern].map { word in
        var words = words
        words[place] = word
        return words
      }
    }
    for words in wrong {
      try database.connection.run("UPDATE explanation SET body = ?", [.blob(words: words)])
      #expect(try await reader.event(1)?.event == event)
    }
    // Counts are added up by whoever shows them.
    var refused = try explanation(1)
    refused.evidence[0] = Explanation.Evidence(timestamp: nil)
    (refused.evidence[0].rejection, refused.evidence[0].count) = ("noFix", .max)
    let most = try #require(Explanation(words: refused.words))
    #expect(most.evidence[0].count == 1 << 32)
    #expect(Explanation(words: refused.words.map { $0 == 1 << 32 ? .max : $0 }) == nil)
    // A value that this program doesn't know of.
    let presence: UInt64 = 1 << 9 | 1 << 10
    #expect(refused.words.count { $0 == presence } == 1)
    #expect(
      Explanation(words: refused.words.map { $0 == presence ? $0 | 1 << 40 : $0 }) == nil)
    for words in wrong.prefix(words.count + 1) { #expect(Explanation(words: words) == nil) }
    for bytes in [[], [1], Array(repeating: UInt8(0), count: 17)] {
      try database.connection.run("UPDATE explanation SET body = ?", [.blob(bytes)])
      #expect(try #require(try await reader.event(1)).explanation == nil)
    }
  }

  @Test func `is kept whole where there is more of it than of most`() throws {
    var refused = try explanation(1)
    refused.evidence[0].rejection = String(repeating: "no fix ", count: 100)
    #expect(Explanation(words: refused.words) == refused)
  }

  @Test func `comes to a database of before, whose events have none`() async throws {
    let other = try StateDirectory()
    let expected = (1...3).map { number in
      Event(
        sequence: Int64(number), log: "l", recorded: at(0),
        transition: transition(second: Double(number)))
    }
    do {
      let old = try Connection(path: other.database)
      try Migrator(Array(Schema.migrations.prefix(1))).migrate(old)
      try old.execute("INSERT INTO log VALUES ('l')")
      for event in expected {
        try old.run(
          "INSERT INTO event VALUES (?, 1000, 'default', 'home', 0, ?)",
          [.integer(event.sequence), .text(CanonicalJSON.text(event))])
      }
      try old.run(
        "INSERT INTO condition VALUES (1000, 'default', 'home', ?, ?, 0, ?)",
        [
          #"{"circle":{"center":{"latitude":47,"longitude":8},"radius":100}}"#,
          #"{"isAccuracyLimited":false,"state":"satisfied"}"#,
          .text(CanonicalJSON.text(expected[2])),
        ])
      try old.execute("INSERT INTO consumer VALUES ('journal', 2), ('events-socket/7', 1)")
    }
    let migrated = try other.open()
    #expect(migrated.setAside == nil)
    #expect(try migrated.connection.query("PRAGMA user_version") == [[9]])
    let log = try EventLog(migrated)
    #expect(log.lastSequence == 3)
    #expect(try log.place(of: "journal")?.cursor == 2)
    #expect(try log.syncedPlace(of: "journal") == nil)
    #expect(try MonitorStore(migrated.connection).record(for: home)?.lastEvent == expected[2])
    let reader = EventReader(path: migrated.path)
    #expect(try await reader.page(after: 0, limit: 9).events.map(\.event) == expected)
    #expect(try #require(try await reader.event(2)).explanation == nil)
    _ = try log.append(
      [Decision(transition(), explanation: try explanation(2))], status: { _ in nil }, lastFix: nil,
      recorded: at(0))
    #expect(try #require(try await reader.event(4)).explanation == explanation(2))
    #expect(try log.retain(1, since: nil).dropped == 3)
  }
}
