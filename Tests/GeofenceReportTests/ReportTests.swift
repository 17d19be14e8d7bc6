import GeofenceReport
import Geofencing
import Testing

/// What a report says before it is drawn.
struct ReportTests {
  private let start: Timestamp

  init() throws { start = try beginning() }

  /// One of which nothing is known but the time.
  private func report(of time: Duration) -> Report {
    var report = Report(title: "", origin: "")
    report.requested = start...(start + time)
    return report
  }

  private func event(
    _ number: Int64, _ key: ConditionKey, _ kind: EventKind, from: ConditionState,
    to: ConditionState, at seconds: Int, bounds: ClosedRange<Int>? = nil,
    because reason: UnmonitoredReason? = nil
  ) throws -> Report.ExplainedEvent {
    var transition = Transition(
      key: key, kind: kind, state: to, previousState: from, date: start + .seconds(seconds))
    transition.bounds = bounds.map {
      (start + .seconds($0.lowerBound))...(start + .seconds($0.upperBound))
    }
    transition.reason = reason
    return Report.ExplainedEvent(
      event: Event(sequence: number, log: nil, recorded: nil, transition: transition),
      sentences: [])
  }

  @Test func `states follow from the events, and nobody knows them between two bounds`() throws {
    var report = report(of: .seconds(100))
    report.events = [
      try event(1, key("a"), .entered, from: .unsatisfied, to: .satisfied, at: 20),
      try event(
        2, key("a"), .exited, from: .satisfied, to: .unsatisfied, at: 60, bounds: 40...60),
      try event(3, key("a"), .unmonitored, from: .unsatisfied, to: .unmonitored, at: 90),
    ]
    let row = try #require(report.stateRows.first)
    let spans = row.spans.map { "\($0.state) \(($0.to - $0.from).components.seconds)" }
    #expect(
      spans == [
        "unsatisfied 20", "satisfied 20", "unknown 20", "unsatisfied 30", "unmonitored 10",
      ])
    #expect(report.stateRows.count == 1)
  }

  @Test func `nothing is told of a condition before it is known to have been watched`() throws {
    var report = report(of: .seconds(100))
    report.events = [
      try event(1, key("a"), .unmonitored, from: .satisfied, to: .unmonitored, at: 60)
    ]
    func spans() throws -> [String] {
      try #require(report.stateRows.first).spans.map {
        "\($0.state) \(($0.from - start).components.seconds)"
      }
    }
    #expect(try spans() == ["unmonitored 60"])
    report.watchedSince[key("a")] = start + .seconds(40)
    #expect(try spans() == ["satisfied 40", "unmonitored 60"])
    report.watchedSince[key("a")] = start + .seconds(-400)
    #expect(try spans() == ["satisfied 0", "unmonitored 60"])
    // Without any time there are rows all the same, for the table.
    report = Report(title: "", origin: "")
    let middle = try #require(Coordinate(latitude: 48.2, longitude: 16.3))
    report.fences = [Report.Fence(key: key("a"), condition: try circle(middle, 50))]
    #expect(report.stateRows.map(\.key) == [key("a")])
  }

  @Test func `what took long to be confirmed had happened by the end of its bounds`() throws {
    var report = report(of: .seconds(100))
    report.events = [
      try event(1, key("a"), .exited, from: .satisfied, to: .unsatisfied, at: 90, bounds: 40...60)
    ]
    let spans = try #require(report.stateRows.first).spans
    #expect(spans.map(\.state) == [.satisfied, .unknown, .unsatisfied])
    #expect(spans.last?.from == start + .seconds(60))
  }

  @Test func `what expired long before the track doesn't stretch the report`() throws {
    var report = Report(title: "", origin: "")
    report.events = [
      try event(1, key("a"), .unmonitored, from: .unknown, to: .unmonitored, at: -1_000_000)
    ]
    #expect(report.span?.lowerBound == start + .seconds(-1_000_000))
    report.track = try [0.0, 60].map { second in
      Report.TrackPoint(timestamp: start + .seconds(second), coordinate: try coordinate(1, 2))
    }
    #expect(report.span == start...(start + .seconds(60)))
    #expect(report.stateRows.first?.spans.map(\.state) == [.unmonitored])
  }

  @Test func `a shape that isn't the one of the events is told`() throws {
    var report = Report(title: "", origin: "")
    report.fences = [
      Report.Fence(
        key: key("anchor"), condition: try circle(coordinate(1, 2), 100),
        added: start + .seconds(50)),
      Report.Fence(key: key("home"), condition: try circle(coordinate(1, 2), 100), added: start),
    ]
    func happened(
      _ identifier: String, at date: Int? = nil, recorded second: Int
    ) throws -> Report.ExplainedEvent {
      var explained = try event(
        1, key(identifier), .entered, from: .unsatisfied, to: .satisfied, at: date ?? second)
      explained.event = Event(
        sequence: 1, log: nil, recorded: start + .seconds(second),
        transition: explained.event.transition)
      return explained
    }
    report.events = [try happened("home", recorded: 20), try happened("anchor", recorded: 60)]
    report.noteReplacements()
    #expect(report.remarks == [])
    // The clock was set back since the event before, and maybe since the condition was added.
    report.events.append(try happened("anchor", recorded: 20))
    report.noteReplacements()
    #expect(report.remarks == [])
    // Here nothing before it says that it was, but the receiver's clock.
    report.events = [try happened("anchor", at: 60, recorded: 20)]
    report.noteReplacements()
    #expect(report.remarks == [])
    let end = try event(
      1, key("anchor"), .unmonitored, from: .satisfied, to: .unmonitored, at: 60)
    for events in [[try happened("anchor", recorded: 20)], [end]] {
      report.events = events
      report.remarks = []
      report.noteReplacements()
      #expect(
        report.remarks == [
          "anchor had another shape, or was added anew, after some of the events: what is shown is "
            + "the present one."
        ])
    }
  }

  @Test func `a condition without events is in its state since it is watched`() throws {
    var report = report(of: .seconds(100))
    report.fences = [
      Report.Fence(
        key: key("quiet"), condition: try circle(coordinate(1, 2), 100), state: .unsatisfied,
        added: start + .seconds(70))
    ]
    let spans = try #require(report.stateRows.first).spans
    #expect(spans.map(\.state) == [.unsatisfied])
    #expect(spans.first?.from == start + .seconds(70))
    #expect(spans.first?.to == start + .seconds(100))
  }

  @Test func `what something happened to comes first`() throws {
    var report = Report(title: "", origin: "")
    report.events = [
      try event(1, key("a"), .determined, from: .unknown, to: .unsatisfied, at: 0),
      try event(2, key("z"), .determined, from: .unknown, to: .unsatisfied, at: 0),
      try event(3, key("z"), .entered, from: .unsatisfied, to: .satisfied, at: 9),
    ]
    #expect(report.stateRows.map(\.key.identifier) == ["z", "a"])
  }

  @Test func `states are those of the events, also of those that are too many to be told`() throws {
    var report = report(of: .seconds(9000))
    let (telling, others) = (key("telling"), (1...5000).map { key("other-\($0)") })
    report.append(try event(1, telling, .determined, from: .unknown, to: .satisfied, at: 0))
    for other in others {
      report.append(try event(2, other, .determined, from: .unknown, to: .unsatisfied, at: 0))
    }
    report.append(try event(3, others[0], .entered, from: .unsatisfied, to: .satisfied, at: 500))
    for second in 1000..<5000 {
      let isOut = second % 2 == 0
      report.append(
        try event(
          Int64(second), key("busy"), isOut ? .exited : .entered,
          from: isOut ? .satisfied : .unsatisfied, to: isOut ? .unsatisfied : .satisfied,
          at: second))
    }
    report.finishEvents()
    #expect(report.events.count == Report.eventLimit)
    let remark = "2\u{202F}000 events are told; 7\u{202F}002 others, older or of conditions that "
    #expect(report.remarks == [remark + "were found to be outside, are not."])
    func states(_ key: ConditionKey) throws -> [ConditionState] {
      report.fences = [Report.Fence(key: key, condition: try circle(coordinate(1, 2), 100))]
      return try #require(report.stateRows.first { $0.key == key }).spans.map(\.state)
    }
    #expect(try states(telling) == [.satisfied])
    #expect(try states(others[0]) == [.satisfied])
    #expect(try states(others[1]) == [.unsatisfied])
    // Nothing is said of the time before.
    let busy = try #require(report.stateRows.first { $0.key == key("busy") }).spans
    #expect(busy.first?.from == start + .seconds(2999))
    #expect(busy.allSatisfy { $0.state != .unknown })
  }

  @Test func `what isn't told of the condition before is no state of the one that replaced it`()
    throws
  {
    var report = report(of: .seconds(100))
    for number in 1...2500 {
      let key = key("k-\(number)")
      report.append(try event(1, key, .determined, from: .unknown, to: .unsatisfied, at: 10))
    }
    report.finishEvents()
    report.fences = [
      Report.Fence(
        key: key("k-1"), condition: try circle(coordinate(1, 2), 100), state: .unknown,
        added: start + .seconds(50))
    ]
    let spans = try #require(report.stateRows.first { $0.key == key("k-1") }).spans
    #expect(spans.map(\.state) == [.unknown])
    #expect(spans.first?.from == start + .seconds(50))
  }

  @Test func `a condition that was added again begins anew`() throws {
    func spans(_ events: [Report.ExplainedEvent], _ state: ConditionState) throws -> [String] {
      var report = report(of: .seconds(100))
      report.fences = [
        Report.Fence(
          key: key("a"), condition: try circle(coordinate(1, 2), 100), state: state,
          added: start + .seconds(20))
      ]
      report.events = events
      #expect(try report.page.contains("<td>\(state.rawValue)</td></tr>"))
      return try #require(report.stateRows.first).spans.map {
        "\($0.state) \(($0.to - $0.from).components.seconds)"
      }
    }
    func end(_ reason: UnmonitoredReason, at seconds: Int) throws -> Report.ExplainedEvent {
      try event(
        2, key("a"), .unmonitored, from: .satisfied, to: .unmonitored, at: seconds, because: reason)
    }
    let found = try event(1, key("a"), .determined, from: .unknown, to: .satisfied, at: 0)
    #expect(
      try spans([found, end(.removed, at: 10)], .satisfied)
        == ["satisfied 10", "unmonitored 10", "satisfied 80"])
    // What is replaced without having been inside says nothing of its end.
    let outside = try event(1, key("a"), .determined, from: .unknown, to: .unsatisfied, at: 0)
    #expect(try spans([outside], .satisfied) == ["unsatisfied 20", "satisfied 80"])
    // By the clock of the fixes the end may come later.
    for seconds in [20, 22] {
      #expect(
        try spans([found, end(.replaced, at: seconds)], .unsatisfied)
          == ["satisfied \(seconds)", "unsatisfied \(100 - seconds)"])
    }
    let left = try event(3, key("a"), .exited, from: .satisfied, to: .unsatisfied, at: 60)
    #expect(
      try spans([found, end(.replaced, at: 20), left], .unsatisfied)
        == ["satisfied 60", "unsatisfied 40"])
  }

  @Test func `what was found outside goes first, and not what was told before it`() throws {
    var report = Report(title: "", origin: "")
    report.append(try event(1, key("a"), .determined, from: .unknown, to: .satisfied, at: 0))
    report.append(try event(2, key("a"), .undetermined, from: .satisfied, to: .unknown, at: 1))
    report.append(try event(3, key("a"), .determined, from: .unknown, to: .unsatisfied, at: 2))
    for number in 4...2100 {
      report.append(
        try event(
          Int64(number), key("b-\(number)"), .determined, from: .unknown, to: .unsatisfied, at: 3))
    }
    report.finishEvents()
    #expect(report.events.prefix(3).map(\.event.sequence) == [1, 2, 3])
  }

  @Test(arguments: [
    ([0, 1, 2, 3, 20, 21], [4]), ([0, 1, 2, 3, 12, 13], []), ([0, 60, 120, 500, 560], [3]),
    ([0, 1, 2, 1, 2, 3], [3]), ([5], []), ([], []),
  ])
  func `the way is unknown where fixes are far apart in time`(
    seconds: [Int], gaps: [Int]
  ) throws {
    var report = Report(title: "", origin: "")
    report.track = try seconds.map {
      Report.TrackPoint(timestamp: start + .seconds($0), coordinate: try coordinate(1, 2))
    }
    report.markGaps()
    #expect(report.track.indices.filter { report.track[$0].followsGap } == gaps)
  }
}
