import Geofencing
import TestSupport
import Testing

@testable import GeofenceDaemon

/// What was judged since the last fix was stored isn't known any more.
@Suite struct `After a crash`: MonitoringSuite {
  let machine: MonitoringMachine

  init() throws { machine = try MonitoringMachine() }

  /// So many metres to the north of the circle's centre.
  private func fix(_ second: Double, metres: Double) throws -> Location {
    Location(
      timestamp: at(second),
      coordinate: try Coordinate(validLatitude: 47, longitude: 8).moved(by: metres, bearing: 0),
      horizontalAccuracy: 5)
  }

  /// A daemon that soon forgets, and seldom writes.
  private func start() throws -> Monitoring {
    try machine.start {
      $0.decision.unknownAfter = .seconds(20)
      $0.storage.checkpoint = .seconds(60)
    }
  }

  @Test(arguments: [false, true])
  func `a way through isn't told, as fixes that are lost may have led around it`(
    isOrdered: Bool
  ) async throws {
    let first = try await watching(assuming: .unsatisfied)
    for second in 0..<3 { await first.process(try fix(Double(second), metres: -300)) }
    if isOrdered { await first.finish() } else { await first.checkpoint() }
    let second = try machine.start()
    for time in 30..<35 { await second.process(try fix(Double(time), metres: 300)) }
    #expect(short(try await machine.events()) == (isOrdered ? ["1 home crossed 31"] : []))
    // From then on it is as ever.
    for time in 60..<62 { await second.process(try fix(Double(time), metres: -300)) }
    #expect(short(try await machine.events()).last == "\(isOrdered ? 2 : 1) home crossed 61")
  }

  @Test func `a way through that waits for the next fix is told behind a restart`() async throws {
    let first = try await watching(assuming: .unsatisfied)
    for second in 0..<3 { await first.process(try fix(Double(second), metres: -300)) }
    await first.process(try fix(30, metres: 300))
    await first.finish()
    let second = try machine.start()
    #expect(try await machine.events() == [])
    await second.process(try fix(31, metres: 300))
    let events = try await machine.events()
    #expect(short(events) == ["1 home crossed 31"])
    #expect(events.first?.transition.bounds == at(2)...at(30))
  }

  @Test func `what is lost is so still after an ordered end without a fix`() async throws {
    let first = try await watching(assuming: .unsatisfied)
    for second in 0..<3 { await first.process(try fix(Double(second), metres: -300)) }
    await first.checkpoint()
    await (try machine.start()).finish()
    let third = try machine.start()
    await third.process(try fix(30, metres: 300))
    #expect(try await machine.events() == [])
    await third.finish()
    let fourth = try machine.start()
    for time in 50..<52 { await fourth.process(try fix(Double(time), metres: -300)) }
    #expect(short(try await machine.events()) == ["1 home crossed 51"])
  }

  /// Of fixes that are lost, some may have had it.
  @Test func `an altitude that was lacking isn't taken to lack since then`() async throws {
    func fix(_ second: Double, altitude: Double?) throws -> Location {
      var fix = try self.fix(second, metres: 0)
      (fix.altitude, fix.verticalAccuracy) = (altitude, 3)
      return fix
    }
    let low = try circle(altitude: AltitudeBand(minimum: nil, maximum: 500))
    let first = try start()
    _ = try await first.add(low, identifier: "low", to: own, assuming: .satisfied)
    for second in 0..<10 { await first.process(try fix(Double(second), altitude: 100)) }
    for second in 10..<20 { await first.process(try fix(Double(second), altitude: nil)) }
    await first.checkpoint()
    let second = try start()
    for time in 60..<70 { await second.process(try fix(Double(time), altitude: nil)) }
    for time in 70..<75 { await second.process(try fix(Double(time), altitude: 100)) }
    #expect(try await machine.events() == [])
    for time in 75..<100 { await second.process(try fix(Double(time), altitude: nil)) }
    #expect(short(try await machine.events()) == ["1 low undetermined 94"])
  }

  @Test func `what goes on at once goes on being confirmed`() async throws {
    let first = try await watching(assuming: .satisfied)
    try await drive(first, "iioo", from: 0)
    await first.checkpoint()
    let second = try machine.start()
    try await drive(second, "oo", from: 4)
    let exited = try #require(try await machine.events().first).transition
    #expect(exited.kind == .exited && exited.date <= at(5))
    #expect(exited.bounds == nil)
  }

  @Test func `a new log has lost nothing`() async throws {
    let first = try machine.start()
    #expect(await first.engine.lost == nil)
    await first.process(try fix(0, metres: 0))
    await first.checkpoint()
    #expect(await (try machine.start()).engine.lost != nil)
  }

  @Test func `what was being confirmed begins anew, and the bounds hold`() async throws {
    let first = try await watching(
      circle(enterAfter: .seconds(60), exitAfter: .seconds(60)), assuming: .unsatisfied)
    try await drive(first, "ooiii", from: 0)
    await first.checkpoint()
    // Those are lost: it was outside again.
    let second = try machine.start()
    try await drive(second, String(repeating: "i", count: 60), from: 40)
    #expect(try await machine.events() == [])
    try await drive(second, "i", from: 100)
    let entered = try #require(try await machine.events().first).transition
    #expect(entered.kind == .entered && entered.date == at(100))
    #expect(entered.bounds == at(1)...at(40))
    #expect(entered.visit?.began == at(40))
  }

  @Test func `silence isn't told of that may not have been one`() async throws {
    let first = try start()
    _ = try await first.add(circle(), identifier: "home", to: own, assuming: .satisfied)
    _ = try await first.add(
      circle(latitude: 48), identifier: "far", to: own, assuming: .unsatisfied)
    try await drive(first, "i", from: 0)
    await first.checkpoint()
    var next = try start()
    try await drive(next, "i", from: 80)
    #expect(try await machine.events() == [])
    await next.checkpoint()
    next = try start()
    try await drive(next, "i", from: 80 + 86)
    #expect(
      short(try await machine.events()) == [
        "1 far undetermined 165", "2 home undetermined 165", "3 far determined 166",
        "4 home determined 166",
      ])
  }
}
