import Geofencing
import JSONCoding
import TestSupport
import Testing

@Suite struct `An event` {
  private var full: Event {
    get throws {
      var location = Location(
        timestamp: at(12.25), coordinate: centre, horizontalAccuracy: 4.1235, speed: 13.9,
        isSimulated: true)
      location.altitude = 408.5
      location.course = 271.5
      var transition = Transition(
        key: home, kind: .exited, state: .unsatisfied, previousState: .satisfied, date: at(12.25))
      transition.bounds = at(2)...at(12.25)
      transition.location = location
      transition.distance = 51.25049
      transition.probability = 0.000_000_4
      transition.visit = Visit(of: "home", began: at(0.5))
      transition.duration = .milliseconds(1500)
      transition.reason = .removed
      return Event(
        sequence: 42, log: "f00dcafe", recorded: at(13.001), transition: transition)
    }
  }

  private var minimal: Event {
    Event(
      sequence: 1, log: nil, recorded: nil,
      transition: Transition(
        key: ConditionKey(
          monitor: MonitorKey(user: 0, name: "default"), identifier: "a.b-c_D"),
        kind: .undetermined, state: .unknown, previousState: .unsatisfied, date: at(0)))
  }

  @Test func `has this JSON with everything in it`() throws {
    #expect(
      try CanonicalJSON.text(full) == """
        {"date":"2026-01-01T00:00:12.250Z","distance":51.25,"duration":1.5,\
        "earliest":"2026-01-01T00:00:02.000Z","identifier":"home","kind":"exited",\
        "latest":"2026-01-01T00:00:12.250Z","location":{"altitude":408.5,"course":271.5,\
        "horizontalAccuracy":4.124,"latitude":47.3769,"longitude":8.5417,"simulated":true,\
        "speed":13.9},"log":"f00dcafe","monitor":"default","previousState":"satisfied",\
        "probability":0,"reason":"removed","recorded":"2026-01-01T00:00:13.001Z","sequence":42,\
        "state":"unsatisfied","user":1000,"visit":"home@2026-01-01T00:00:00.500Z",\
        "visitBegan":"2026-01-01T00:00:00.500Z"}
        """)
  }

  @Test func `has this JSON with nothing but what it must have`() throws {
    #expect(
      try CanonicalJSON.text(minimal) == """
        {"date":"2026-01-01T00:00:00.000Z","identifier":"a.b-c_D","kind":"undetermined",\
        "monitor":"default","previousState":"unsatisfied","sequence":1,"state":"unknown"}
        """)
  }

  @Test func `is itself again after it was written and read`() throws {
    let read = try CanonicalJSON.decode(Event.self, from: CanonicalJSON.encode(full))
    // Numbers are rounded when they are written; from then on nothing changes.
    #expect(try CanonicalJSON.decode(Event.self, from: CanonicalJSON.encode(read)) == read)
    #expect(try CanonicalJSON.encode(read) == CanonicalJSON.encode(full))
    #expect(read.transition.location?.coordinate == centre)
    #expect(read.transition.location?.isSimulated == true)
    #expect(read.transition.bounds == at(2)...at(12.25))
    #expect(read.transition.key == home)
    #expect(try CanonicalJSON.decode(Event.self, from: CanonicalJSON.encode(minimal)) == minimal)
  }

  @Test func `of every kind, state and reason is itself again`() throws {
    for kind in EventKind.allCases {
      for state in ConditionState.allCases {
        for reason in [nil, UnmonitoredReason.removed, .replaced, .expired] {
          var transition = Transition(
            key: home, kind: kind, state: state, previousState: state, date: at(1))
          transition.reason = reason
          let event = Event(sequence: .max, log: "x", recorded: at(2), transition: transition)
          #expect(
            try CanonicalJSON.decode(Event.self, from: CanonicalJSON.encode(event)) == event)
        }
      }
    }
  }

  @Test(arguments: [1, 999, 100_000_000, 1_234_567_891, 86_400_000_000_001, 8_640_000_000_000_007])
  func `keeps a duration to the nanosecond`(nanoseconds: Int64) throws {
    var transition = minimal.transition
    transition.duration = .nanoseconds(nanoseconds)
    let event = Event(sequence: 1, log: nil, recorded: nil, transition: transition)
    let read = try CanonicalJSON.decode(Event.self, from: CanonicalJSON.encode(event))
    #expect(read.transition.duration == .nanoseconds(nanoseconds))
  }

  @Test func `may carry what isn't known yet`() throws {
    let json = #"""
      {"date":"2026-01-01T00:00:00.000Z","identifier":"a.b-c_D","kind":"undetermined",
      "monitor":"default","previousState":"unsatisfied","sequence":1,"state":"unknown",
      "refinement":{"major":1},"mood":[1,2],"user":0}
      """#
    #expect(try CanonicalJSON.decode(Event.self, from: json.utf8) == minimal)
  }

  @Test(arguments: [
    (#""sequence":1"#, #""sequence":"1""#), (#""kind":"undetermined""#, #""kind":"vanished""#),
    (#""monitor":"default","#, ""), (#"T00:00:00.000Z"#, "T25:00:00.000Z"),
    (#""state":"unknown""#, #""state":"unknown","duration":1e30"#),
  ])
  func `is refused when it is wrong`(right: String, wrong: String) throws {
    let json = try CanonicalJSON.text(minimal)
    #expect(json.contains(right))
    #expect(throws: DecodingError.self) {
      try CanonicalJSON.decode(Event.self, from: json.replacing(right, with: wrong).utf8)
    }
  }
}

@Suite struct `A condition` {
  @Test(arguments: [1, 2_000_000, 200.5]) func `has a radius within the range`(
    radius: Double
  ) throws {
    #expect(try CircularGeographicCondition(center: centre, radius: radius).radius == radius)
  }

  @Test(arguments: [0, -5, 0.999, 2_000_000.1, 1e9, .infinity])
  func `is refused with another radius`(radius: Double) {
    #expect(throws: ConditionError.radiusOutOfRange(radius)) {
      try CircularGeographicCondition(center: centre, radius: radius)
    }
  }

  @Test func `is refused with a number that is none`() throws {
    #expect(throws: ConditionError.self) { try circle(.nan) }
    #expect(throws: ConditionError.self) { try circle(confidence: .nan) }
    #expect(throws: ConditionError.confidenceOutOfRange(0.49)) { try circle(confidence: 0.49) }
    #expect(throws: ConditionError.confidenceOutOfRange(1)) { try circle(confidence: 1) }
    #expect(throws: ConditionError.durationOutOfRange(name: "enterAfter", seconds: -1)) {
      try circle(enterAfter: .seconds(-1))
    }
    #expect(throws: ConditionError.durationOutOfRange(name: "exitAfter", seconds: 86_401)) {
      try circle(exitAfter: .seconds(86_401))
    }
  }

  /// Or an app that adds its fences again after a restart would lose a crossing.
  @Test func `is equal to itself after it was stored`() throws {
    for condition in [
      try circle(), try circle(123.456, enterAfter: .milliseconds(100), confidence: 0.987_654_321),
      try circle(enterAfter: .seconds(0.1), exitAfter: .seconds(0.123_456_789_123)),
      try circle(exitAfter: .nanoseconds(1_234_567_891)),
      try circle(expires: Timestamp(rfc3339: "2027-01-01T00:00:00.123456789Z")),
      try circle(expires: Timestamp(rfc3339: "2261-12-31T23:59:59-23:59")),
    ] {
      let stored = try CanonicalJSON.encode(condition)
      #expect(try CanonicalJSON.decode(Condition.self, from: stored) == condition)
    }
  }

  @Test func `has this JSON`() throws {
    #expect(
      try CanonicalJSON.text(
        circle(
          150, enterAfter: .seconds(2), exitAfter: .milliseconds(1500), confidence: 0.9,
          expires: at(60)))
          == """
          {"circle":{"center":{"latitude":47.3769,"longitude":8.5417},"radius":150},\
          "confidence":0.9,"enterAfter":2,"exitAfter":1.5,"expires":"2026-01-01T00:01:00.000Z"}
          """)
  }

  @Test(arguments: [
    (#"{"circle":{"center":{"latitude":1,"longitude":2},"radius":0}}"#, "radius 0.0 is out"),
    (
      #"{"circle":{"center":{"latitude":1,"longitude":2},"radius":9},"enterAfter":1e300}"#,
      "enterAfter 1e+300 is out"
    ),
    (
      #"{"circle":{"center":{"latitude":1,"longitude":2},"radius":9},"exitAfter":-0.1}"#,
      "exitAfter -0.1 is out"
    ),
    (
      #"{"circle":{"center":{"latitude":1,"longitude":2},"radius":9},"confidence":1}"#,
      "confidence 1.0 is out"
    ),
  ])
  func `is refused in JSON with the number that is wrong`(json: String, message: String) throws {
    let error = try #require(throws: ConditionError.self) {
      try CanonicalJSON.decode(Condition.self, from: json.utf8)
    }
    #expect(error.description.hasPrefix(message))
  }
}

@Suite struct `An identifier` {
  @Test(arguments: [
    ("a", true), ("home", true), ("A.z_0-9", true), ("..", true), ("", false), ("a b", false),
    ("a\n", false), ("ä", false), ("a/b", false), ("a\0", false),
    (String(repeating: "x", count: 128), true), (String(repeating: "x", count: 129), false),
  ])
  func `is made of a few characters`(text: String, isValid: Bool) {
    #expect(Identifier.isValid(text) == isValid)
  }

  @Test func `that is wrong is told on one line`() {
    let error = ConditionError.identifierInvalid("a\nb" + String(repeating: "x", count: 100))
    #expect(error.description.hasPrefix(#"identifier 'a\nb"#))
    #expect(error.description.hasSuffix("use 1 to 128 characters of A-Z a-z 0-9 . _ -"))
    #expect(!error.description.contains("\n"))
    #expect(error.description.count < 180)
  }
}

@Suite struct `Missed events` {
  @Test func `of which there are more than can be counted have no count`() {
    let many = Lagged(first: 1, last: 2, events: .max)
    #expect(many.and(Lagged(first: 3, last: 3, events: 0)).events == .max)
    #expect(many.and(Lagged(first: 3, last: 3, events: 1)) == Lagged(first: 1, last: 3))
  }
}
