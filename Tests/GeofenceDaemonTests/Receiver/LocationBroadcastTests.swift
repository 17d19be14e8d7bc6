import Geofencing
import Positioning
import TestSupport
import Testing

@testable import GeofenceDaemon

/// Who hears which locations, and what a slow listener is told.
@Suite(.timeLimit(.minutes(10))) struct LocationBroadcastTests {
  private let broadcast = LocationBroadcast()

  private func update(_ second: Int, north: Double = 0, speed: Double = 0) -> LocationUpdate {
    guard let spot = Coordinate(latitude: 47, longitude: 8) else {
      preconditionFailure("the spot is off the globe")
    }
    var fix = Location(
      timestamp: at(0) + .seconds(second),
      coordinate: spot.moved(by: north, bearing: 0), horizontalAccuracy: 4, speed: speed)
    fix.course = 0
    return LocationUpdate(location: fix)
  }

  /// The newest that a listener hasn't heard, and how many it missed.
  private func newest(of listener: LocationListener) async throws -> LocationListener.Heard {
    var heard = try await listener.next()
    var dropped = heard.dropped
    while listener.isWaitedFor {
      heard = try await listener.next()
      dropped += heard.dropped
    }
    return LocationListener.Heard(update: heard.update, dropped: dropped)
  }

  @Test func `a slow listener gets the newest and hears how many it missed`() async throws {
    let (slow, quick) = (broadcast.listen(), broadcast.listen())
    let limit = LocationListener.limit
    broadcast.send(update(0))
    #expect(try await slow.next() == LocationListener.Heard(update: update(0), dropped: 0))
    #expect(try await quick.next() == LocationListener.Heard(update: update(0), dropped: 0))
    for second in 1...(2 * limit + 2) {
      broadcast.send(update(second))
      #expect(try await quick.next().dropped == 0)
    }
    let first = LocationListener.Heard(update: update(2 * limit + 1), dropped: 2 * limit)
    #expect(try await slow.next() == first)
    broadcast.send(update(99))
    for next in [update(2 * limit + 2), update(99)] {
      #expect(try await slow.next() == LocationListener.Heard(update: next, dropped: 0))
    }
    #expect(try await quick.next() == LocationListener.Heard(update: update(99), dropped: 0))
  }

  @Test func `what comes at once is heard one after the other`() async throws {
    let listener = broadcast.listen()
    for second in 0..<LocationListener.limit { broadcast.send(update(second)) }
    for second in 0..<LocationListener.limit {
      #expect(
        try await listener.next() == LocationListener.Heard(update: update(second), dropped: 0))
    }
    #expect(!listener.isWaitedFor)
  }

  @Test func `a listener that hears nothing isn't waited for again before it does`() async throws {
    let listener = broadcast.listen()
    broadcast.send(update(0))
    #expect(listener.isWaitedFor)
    await broadcast.waitUntilHeard(patience: .zero)
    #expect(!listener.isWaitedFor)
    broadcast.send(update(1))
    #expect(!listener.isWaitedFor)
    for second in 0...1 { #expect(try await listener.next().update == update(second)) }
    broadcast.send(update(2))
    #expect(listener.isWaitedFor)
  }

  @Test func `who comes later hears the newest at once, and misses nothing by that`() async throws {
    broadcast.send(update(0))
    broadcast.send(update(1))
    let listener = broadcast.listen()
    #expect(try await listener.next() == LocationListener.Heard(update: update(1), dropped: 0))
    let another = broadcast.listen()
    broadcast.send(update(2))
    for second in 1...2 { #expect(try await another.next().update == update(second)) }
    broadcast.forget()
    #expect(broadcast.present == nil)
    let last = broadcast.listen()
    broadcast.send(update(3))
    #expect(try await last.next() == LocationListener.Heard(update: update(3), dropped: 0))
  }

  @Test func `a fix that was refused is heard, but isn't where it is`() async throws {
    let listener = broadcast.listen()
    for second in 0...1 {
      broadcast.take(update(second), isRefused: second == 1)
      broadcast.send(update(second))
    }
    #expect(broadcast.present?.location == update(0).location)
    #expect(try await newest(of: listener).update.location == update(1).location)
    broadcast.take(update(2))
    broadcast.send(update(2))
    #expect(broadcast.present?.location == update(2).location)
  }

  @Test func `each listener with a configuration pauses by its own numbers`() async throws {
    let walker = broadcast.listen(with: .fitness)
    let driver = broadcast.listen(with: .automotiveNavigation)
    let other = broadcast.listen()
    #expect(broadcast.keepsReceiver)
    for second in 0...300 { broadcast.take(update(second)) }
    let last = try await newest(of: walker)
    #expect(last.update.isPaused && last.update.isStationary)
    #expect(last.dropped > 300 - LocationListener.limit)
    #expect(broadcast.keepsReceiver)
    for second in 301...600 { broadcast.take(update(second)) }
    let parked = try await newest(of: driver)
    #expect(parked.update.isPaused && parked.update.location?.timestamp == fixTime(600))
    #expect(!broadcast.keepsReceiver)

    // The daemon's own flow is none of their business, and theirs not of who has it.
    broadcast.send(update(700))
    #expect(try await other.next() == LocationListener.Heard(update: update(700), dropped: 0))
    for second in 0..<10 {
      broadcast.take(update(701 + second, north: Double(second) * 10, speed: 10))
    }
    #expect(broadcast.keepsReceiver)
    let (walks, drives) = (try await newest(of: walker), try await newest(of: driver))
    #expect(walks.update.location?.timestamp == fixTime(710) && !walks.update.isPaused)
    #expect(drives.update.location?.timestamp == fixTime(710) && !drives.update.isPaused)
  }

  private func fixTime(_ second: Int) -> Timestamp? { update(second).location?.timestamp }

  @Test func `who comes in a pause while there is no location is told when there is one`()
    async throws
  {
    var paused = update(0)
    (paused.isPaused, paused.isStationary) = (true, true)
    broadcast.take(paused)
    broadcast.send(paused)
    let early = broadcast.listen()
    #expect(try await early.next().update == paused)
    // A pause keeps silent that the fix is lost, and that it is there again.
    broadcast.take(LocationUpdate(location: nil))
    let late = broadcast.listen()
    #expect(try await late.next().update.location == nil)
    broadcast.take(update(10))
    broadcast.take(update(11))
    broadcast.take(update(12))
    let told = try await late.next()
    #expect(told.update.location == update(11).location && told.dropped == 0)
    #expect(told.update.isPaused && told.update.isStationary)
    // The first location of a departure ends the pause.
    broadcast.take(LocationUpdate(location: nil))
    let last = broadcast.listen()
    #expect(try await last.next().update.location == nil)
    broadcast.take(update(13))
    broadcast.send(update(13))
    #expect(try await last.next() == LocationListener.Heard(update: update(13), dropped: 0))
    #expect(try await early.next().update == update(13))
    #expect(try await late.next().update == update(13))
    broadcast.take(update(14))
    broadcast.send(update(14))
    for listener in [early, late, last] {
      #expect(try await listener.next() == LocationListener.Heard(update: update(14), dropped: 0))
    }
  }

  @Test func `the receiver is kept for whoever isn't paused and no longer`() async throws {
    #expect(!broadcast.keepsReceiver && broadcast.lookMayEnd)
    let plain = broadcast.listen()
    #expect(!broadcast.keepsReceiver)
    let listener = broadcast.listen(with: .default)
    try await broadcast.waitUntilReceiverIsKept()
    for second in 0...300 { broadcast.take(update(second)) }
    #expect(!broadcast.keepsReceiver)
    broadcast.beginLook()
    #expect(!broadcast.lookMayEnd)
    for second in 480...483 { broadcast.take(update(second)) }
    #expect(broadcast.lookMayEnd && !broadcast.keepsReceiver)

    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [broadcast] in try await broadcast.waitUntilReceiverIsKept() }
      for second in 0..<10 {
        broadcast.take(update(660 + second, north: Double(second) * 10, speed: 10))
      }
      try await group.waitForAll()
    }
    #expect(broadcast.keepsReceiver)
    broadcast.leave(listener)
    broadcast.leave(plain)
    #expect(!broadcast.keepsReceiver)
  }

  @Test func `pauses begin anew with another way of pausing`() async throws {
    let listener = broadcast.listen(with: .default)
    for second in 0...300 { broadcast.take(update(second)) }
    #expect(!broadcast.keepsReceiver)
    var parameters = PauseParameters()
    parameters.mode = .never
    broadcast.begin(pausing: parameters)
    #expect(broadcast.keepsReceiver)
    for second in 301...900 { broadcast.take(update(second)) }
    let heard = try await newest(of: listener)
    #expect(heard.update.isStationary && !heard.update.isPaused)
    #expect(heard.update.location?.timestamp == fixTime(900))
    // Whoever comes now pauses in that way, too.
    let next = broadcast.listen(with: .default)
    for second in 901...1500 { broadcast.take(update(second)) }
    #expect(try await !next.next().update.isPaused)
  }

  @Test func `waiting for an update ends with the task`() async {
    let listener = broadcast.listen()
    await withTaskGroup { group in
      group.addTask { [broadcast] in
        await #expect(throws: CancellationError.self) { _ = try await listener.next() }
        await #expect(throws: CancellationError.self) {
          try await broadcast.waitUntilReceiverIsKept()
        }
      }
      group.cancelAll()
    }
  }

  @Test func `what was forgotten is told to nobody, also when only a pause heard it`() async throws
  {
    broadcast.take(update(0))
    broadcast.forget()
    #expect(broadcast.present == nil)
    let listeners = [broadcast.listen(), broadcast.listen(with: .default)]
    broadcast.take(update(1))
    broadcast.send(update(1))
    for listener in listeners {
      let heard = try await listener.next()
      #expect(heard.update.location == update(1).location && heard.dropped == 0)
    }
  }
}
