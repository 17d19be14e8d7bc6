import ControlInterface
import GeofenceSimulation
import Synchronization
import Testing
import Varlink

@testable import GeofenceClient

/// Calls that overlap on copies of one iterator, as an actor that keeps one makes them when it is called
/// again meanwhile.
@Suite(.timeLimit(.minutes(10))) struct IteratorCopiesTests {
  private actor Tracker {
    private var iterator: LocationUpdates.Iterator

    init(_ service: GeofenceService) {
      iterator = LocationUpdates.liveUpdates(service: service).makeAsyncIterator()
    }

    func next() async throws -> LocationUpdate? {
      var copy = iterator
      defer { iterator = copy }
      return try await copy.next(isolation: self)
    }
  }

  private actor Diary {
    private var iterator: Monitor.Events.Iterator

    init(_ monitor: Monitor) async {
      iterator = await monitor.events.makeAsyncIterator()
    }

    func next() async throws -> Int? {
      var copy = iterator
      defer { iterator = copy }
      return try await copy.next(isolation: self)?.sequence
    }
  }

  @Test func `who asks for the update that another call waits for is told so, and disturbs nobody`()
    async throws
  {
    let (orders, more) = AsyncStream.makeStream(of: Int.self)
    let calls = Mutex(0)
    let methods: [String: VarlinkMethod] = [
      Locations.name: .stream {
        (_: Locations.Parameters, _, out: VarlinkReplies<Locations.Reply>) -> Locations.Reply in
        calls.withLock { $0 += 1 }
        for await number in orders {
          var reply = Locations.Reply(location: nil)
          reply.dropped = number
          try await out.send(reply)
        }
        throw VarlinkError("org.varlink.service.PermissionDenied")
      }
    ]
    try await ScriptedService.run(methods) { service in
      let tracker = Tracker(service)
      more.yield(1)
      #expect(try await tracker.next()?.missedUpdates == 1)
      for round in 2...3 {
        try await withThrowingTaskGroup(of: LocationUpdate?.self) { group in
          for _ in 0..<3 { group.addTask { try await tracker.next() } }
          // Nothing is sent yet, so that what comes of any two of them is an error.
          for _ in 0..<2 {
            await #expect(
              throws: MonitorError.alreadyOpen(
                "another call waits for this iterator's next update: begin a loop for each that "
                  + "needs updates")
            ) { try await group.next() }
          }
          more.yield(round)
          let update = try #require(try await group.next() ?? nil)
          #expect(update.missedUpdates == round && !update.receiverDisconnected)
        }
      }
      #expect(calls.withLock { $0 } == 1)
    }
  }

  @Test func `events are given to such calls one by one`() async throws {
    try await SimulatedGeofences.withMonitor { monitor, geofences in
      try await monitor.add(circle(), identifier: "home", assuming: .unsatisfied)
      try await geofences.cross(1)
      let diary = await Diary(monitor)
      #expect(try await diary.next() == 1)
      try await withThrowingTaskGroup(of: Int?.self) { group in
        for _ in 0..<2 { group.addTask { try await diary.next() } }
        for place in [away, home] { try await geofences.move(to: place) }
        #expect(try await group.reduce(into: Set()) { $0.insert($1) } == [2, 3])
      }
    }
  }
}
