import Geofencing
import TestSupport
import Testing

@testable import Positioning

@Suite struct `The location pipeline` {
  /// What comes of events, in short: "fix 3", or the diagnostics of an update without a location.
  func updates(
    _ events: [SourceEvent], parameters: PositioningParameters = PositioningParameters()
  ) -> [String] {
    var pipeline = LocationPipeline(parameters: parameters)
    var updates = events.compactMap { pipeline.process($0) }
    if let last = pipeline.finish() { updates.append(last) }
    return updates.map(short)
  }

  /// The same of epochs that are complete.
  private func updates(
    of epochs: [TPV], parameters: PositioningParameters = PositioningParameters()
  ) -> [String] {
    updates(
      epochs.flatMap { [.tpv($0), .epochComplete(of: "/dev/a")] }, parameters: parameters)
  }

  func short(_ update: LocationUpdate) -> String {
    if let location = update.location {
      #expect(!update.accuracyLimited && !update.receiverDisconnected)
      return "fix \(Int((location.timestamp - at(0)).inSeconds))"
    }
    return "none" + (update.accuracyLimited ? " inaccurate" : "")
      + (update.receiverDisconnected ? " disconnected" : "")
  }

  @Test func `judges an epoch when it is complete`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    #expect(pipeline.process(.tpv(report(1))) == nil)
    #expect(pipeline.process(.tpv(report(1))) == nil)
    #expect(pipeline.process(.epochComplete(of: "/dev/a")).map(short) == "fix 1")
    #expect(pipeline.process(.epochComplete(of: "/dev/a")) == nil)
    #expect(pipeline.process(.tpv(report(2))) == nil)
    #expect(pipeline.process(.tpv(report(3))).map(short) == "fix 2")
    #expect(pipeline.finish().map(short) == "fix 3")
    #expect(pipeline.finish() == nil)
  }

  /// Two at 9600 baud, each of which tells its speed and its errors some time after its position.
  @Test func `puts the parts of receivers together that speak at the same time`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    func part(_ second: Double, _ device: String, _ body: (inout TPV) -> Void) -> SourceEvent {
      .tpv(
        change(noFix(second, device: device)) {
          $0.mode = 0
          body(&$0)
        })
    }
    var fixes: [Location] = []
    for second in 1...40 {
      let second = Double(second)
      var events: [SourceEvent] = []
      for device in ["/dev/a", "/dev/b"] {
        events.append(.tpv(report(second, north: second, device: device, speed: 1.106)))
      }
      for device in ["/dev/a", "/dev/b"] {
        events.append(part(second, device) { ($0.speed, $0.track) = (1, 0) })
      }
      for device in ["/dev/b", "/dev/a"] {
        events.append(part(second, device) { $0.gst = TPV.GST(north: 1, east: 1, up: 2) })
      }
      events += [.epochComplete(of: "/dev/b"), .epochComplete(of: "/dev/a")]
      fixes += events.compactMap { pipeline.process($0)?.location }
    }
    #expect(fixes.count == 40)
    let isWhole = fixes.allSatisfy {
      $0.device == "/dev/b" && $0.speed == 1 && $0.course == 0 && $0.verticalAccuracy == 2
    }
    #expect(isWhole)
    #expect(pipeline.receiverStatus.rejected == [.otherReceiver: 40])
  }

  @Test(arguments: [2, 17, 40]) func `loses nothing to however many receivers`(count: Int) {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    var fixes = 0
    for second in 0..<5 {
      for number in 0..<count {
        let report = report(Double(second), device: "/dev/\(number)")
        if pipeline.process(.tpv(report))?.location != nil { fixes += 1 }
      }
    }
    #expect(fixes == 4)
    #expect(pipeline.receiverStatus.rejected == [.otherReceiver: 4 * (count - 1)])
  }

  @Test func `keeps a receiver among ever new ones`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    var fixes = 0
    for number in 0..<500 {
      for device in ["/dev/a", "/dev/new\(number)"] {
        let update = pipeline.process(.tpv(report(Double(number), device: device)))
        if update?.location?.device == "/dev/a" { fixes += 1 }
      }
    }
    #expect(fixes == 499)
  }

  @Test func `takes an epoch that only repeats another receiver's for none`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    let events: [SourceEvent] = [
      .tpv(report(1)), .epochComplete(of: "/dev/a"), .tpv(report(1)),
      .tpv(noFix(nil, device: "/dev/b")), .epochComplete(of: "/dev/b"),
    ]
    #expect(events.compactMap { pipeline.process($0) }.map(short) == ["fix 1"])
    let repeated = Array(repeating: SourceEvent.epochComplete(of: "/dev/b"), count: 20)
    #expect(repeated.compactMap { pipeline.process($0) }.isEmpty)
  }

  @Test func `says once that there is no location`() {
    #expect(updates((0..<50).map { .tpv(noFix(Double($0))) }) == ["none"])
    let seconds = (0..<50).map(Double.init)
    let told = updates(seconds.map { .tpv($0 < 5 || $0 > 40 ? report($0) : noFix($0)) })
    let (before, after) = ((0..<5).map { "fix \($0)" }, (41..<50).map { "fix \($0)" })
    #expect(told == before + ["none"] + after)
  }

  @Test func `offers a location for as long as it isn't stale`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    _ = pipeline.process(.tpv(report(0)))
    for second in 1...11 {
      let update = pipeline.process(.tpv(noFix(Double(second))))
      #expect(update.map(short) == (second == 1 ? "fix 0" : nil))
    }
    #expect(pipeline.process(.epochComplete(of: "/dev/a")).map(short) == "none")
    // A step back in time makes nothing stale.
    var other = LocationPipeline(parameters: PositioningParameters())
    _ = other.process(.tpv(report(100)))
    #expect(other.process(.tpv(report(1))).map(short) == "fix 100")
    #expect(other.process(.epochComplete(of: "/dev/a")) == nil)
  }

  @Test(arguments: [(0.1, 100), (0.2, 50), (1, 10), (7, 10)])
  func `counts reports that don't say when as far apart as those before`(
    seconds: Double, count: Int
  ) {
    func hasNone(_ missing: Int) -> Bool {
      let reports =
        (0..<5).map { report(Double($0) * seconds) } + (0..<missing).map { _ in noFix(nil) }
      return updates(of: reports).contains("none")
    }
    #expect(!hasNone(count) && hasNone(count + 1))
  }

  @Test func `counts them anew after each fix`() {
    let reports = (0..<20).flatMap { [report(Double($0) * 2), noFix(nil)] }
    #expect(updates(of: reports) == (0..<20).map { "fix \($0 * 2)" })
  }

  @Test func `an epoch that isn't whole at a release isn't judged minutes later`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    var told: [String] = []
    for (seconds, isReleased) in [(0, false), (1, true), (180, false), (181, false)] {
      if let update = pipeline.process(.tpv(report(Double(seconds)))) { told.append(short(update)) }
      if isReleased { pipeline.release() }
    }
    #expect(told == ["fix 0", "fix 180"])
  }

  /// Without a time, and with that of a clock that was set back, nothing says how long it has been.
  @Test(arguments: [true, false])
  func `says once that there is no location where reports don't say when`(isDated: Bool) {
    expectNoneOnce { noFix(isDated ? Double($0) : nil) }
  }

  /// Expects that it is told once that there is no location, after ten of such reports.
  private func expectNoneOnce(
    parameters: PositioningParameters = PositioningParameters(), _ other: (Int) -> TPV
  ) {
    for (count, told) in [(10, []), (11, ["none"]), (50, ["none"])] as [(Int, [String])] {
      let reports = [report(100)] + (0..<count).map(other) + [report(200)]
      #expect(updates(of: reports, parameters: parameters) == ["fix 100"] + told + ["fix 200"])
    }
  }

  @Test func `counts reports whose time stands still, once it does`() {
    var pipeline = LocationPipeline(parameters: PositioningParameters())
    func process(_ report: TPV) {
      for event in [SourceEvent.tpv(report), .epochComplete(of: "/dev/a")] {
        _ = pipeline.process(event)
      }
    }
    // Parts that come late are none.
    for second in 100..<120 {
      for _ in 0..<2 { process(report(Double(second))) }
    }
    #expect(pipeline.receiverStatus.rejected == [:])
    for _ in 0..<60 { process(report(119)) }
    #expect(pipeline.receiverStatus.rejected == [.notNewer: 51])
  }

  /// Without a time, with that of the last fix again and again, and with earlier ones.
  @Test(arguments: [nil, 100, 50] as [Double?])
  func `says once that there is no location where positions come whose time stands still`(
    second: Double?
  ) {
    var parameters = PositioningParameters()
    // However often an earlier time is insisted on.
    parameters.persistence = .max
    expectNoneOnce(parameters: parameters) { _ in report(second) }
  }

  @Test func `goes by what a report says of the time where others say nothing`() {
    // Each epoch is refused, and comes in many pieces.
    let epochs = (101...103).flatMap { second in
      Array(repeating: report(Double(second), eph: 9000), count: 7)
    }
    let reports = [report(100)] + epochs + [report(104)]
    #expect(updates(of: reports) == ["fix 100", "fix 104"])
  }

  @Test func `says nothing of epochs that are complete before any fix`() {
    let repeated = Array(repeating: SourceEvent.epochComplete(of: "/dev/a"), count: 20)
    #expect(updates(repeated) == [])
    #expect(updates([.tpv(report(0, eph: 9000))] + repeated) == ["none inaccurate"])
  }

  @Test func `offers a location on when a single date is wrong`() {
    let reports = [report(0), report(1), report(700_000), report(2)]
    #expect(updates(reports.map { .tpv($0) }) == ["fix 0", "fix 1", "fix 2"])
    // The same without a position.
    #expect(
      updates([report(0), report(1), noFix(700_000), report(2)].map { .tpv($0) })
        == ["fix 0", "fix 1", "fix 2"])
  }

  @Test func `says that fixes come but are too inaccurate`() {
    #expect(
      updates([.tpv(report(0)), .tpv(report(20, eph: 9000)), .tpv(report(21, eph: 9000))])
        == ["fix 0", "none inaccurate"])
    // Also when nothing came before, the usual way of a cold start.
    #expect(
      updates([
        .tpv(noFix(0)), .tpv(noFix(1)), .tpv(report(2, eph: 9000)), .tpv(report(3, eph: 9000)),
        .tpv(report(4)),
      ]) == ["none", "none inaccurate", "fix 4"])
  }

  @Test func `says that the receiver is silent or lost, and that it is back`() {
    #expect(
      updates([
        .connected("gpsd 3.22"), .tpv(report(0)), .epochComplete(of: "/dev/a"), .silent, .silent,
        .disconnected("gone"), .disconnected("still gone"), .connected("gpsd 3.22"),
        .tpv(noFix(100)), .tpv(report(101)), .tpv(report(102)), .epochComplete(of: "/dev/a"),
      ]) == ["fix 0", "none", "none disconnected", "none", "fix 101", "fix 102"])
    #expect(updates([.disconnected("no gpsd")]) == ["none disconnected"])
    // It is reached again, also where it says nothing.
    #expect(
      updates([.disconnected("no gpsd"), .connected("gpsd 3.22")]) == ["none disconnected", "none"])
  }
}
