import EventDelivery
import Geofencing
import LinuxSystem
import Synchronization
import TestSupport
import Testing

/// How events get to those who listen.
@Suite(.timeLimit(.minutes(1)))
struct DeliveryTests {
  @Test func `an event that is logged while nothing was found is delivered at once`() async throws {
    let source = SourceInMemory()
    let sink = SinkInMemory()
    // The event comes when the first look at the log has found nothing and isn't over yet.
    source.afterReading = { source.log(1) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await Delivery(to: sink, from: source, clock: ManualClock()) { _ in }.run()
      }
      group.addTask { try await sink.delivered.wait(after: 0) }
      group.addTask {
        try await Task.sleep(for: .seconds(10))
        Issue.record("the event was slept through")
      }
      // The sink has it, or the time is over; the delivery itself never ends.
      try await group.next()
      group.cancelAll()
    }
    #expect(sink.delivered.latest == 1)
  }

  @Test func `a burst of subscribers gets no more places than there are`() async throws {
    let folder = try TemporaryFolder()
    let listener = try ListeningSocket(path: folder.path + "/events")
    let source = SourceInMemory()
    source.log(1)
    let socket = EventsSocket(
      on: listener, from: source, maximumConnections: 5, clock: ContinuousClock())
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await socket.run() }
      var subscribers: [StreamSocket] = []
      for _ in 0..<40 {
        subscribers.append(try await StreamSocket.connect(toPath: listener.path))
      }
      var served = 0
      for subscriber in subscribers {
        if let bytes = try await subscriber.read(timeout: .seconds(10)), !bytes.isEmpty {
          served += 1
        }
      }
      #expect(served == 5)
      #expect(socket.connections == 5)
      group.cancelAll()
    }
  }
}

/// A log whose events are made up.
private final class SourceInMemory: EventSource {
  let signal = SequenceSignal(latest: 0)
  private let state = Mutex<[Event]>([])
  private let reading = Mutex<(@Sendable () -> Void)?>(nil)

  /// What happens once, between a look at the log and its answer.
  var afterReading: (@Sendable () -> Void)? {
    get { reading.withLock { $0 } }
    set { reading.withLock { $0 = newValue } }
  }

  func log(_ sequence: Int64) {
    let key = ConditionKey(monitor: MonitorKey(user: 0, name: "default"), identifier: "home")
    let transition = Transition(
      key: key, kind: .entered, state: .satisfied, previousState: .unsatisfied,
      date: Timestamp(nanoseconds: 0))
    let event = Event(sequence: sequence, log: "log", recorded: nil, transition: transition)
    state.withLock { $0.append(event) }
    signal.announce(sequence)
  }

  func events(after sequence: Int64, user: UInt32?, limit: Int) async throws -> [Event] {
    let events = state.withLock { $0.filter { $0.sequence > sequence } }
    let happens = reading.withLock { reading in
      defer { reading = nil }
      return reading
    }
    happens?()
    return events
  }

  func cursor(of consumer: String) async throws -> Int64 { 0 }

  func setCursor(of consumer: String, to sequence: Int64) async throws {}
}

/// Takes everything.
private struct SinkInMemory: EventSink {
  let name = "memory"
  let delivered = SequenceSignal(latest: 0)

  func deliver(_ events: [Event]) async throws {
    for event in events { delivered.announce(event.sequence) }
  }
}
