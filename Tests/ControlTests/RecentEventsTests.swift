import EventDelivery
import Geofencing
import Testing

/// What is kept of the newest events.
struct RecentEventsTests {
  private func event(_ sequence: Int64) -> LoggedEvent {
    let key = ConditionKey(monitor: MonitorKey(user: 1000, name: "default"), identifier: "home")
    return LoggedEvent(
      Event(
        sequence: sequence, log: nil, recorded: nil,
        transition: Transition(
          key: key, kind: .entered, state: .satisfied, previousState: .unsatisfied,
          date: Timestamp(nanoseconds: sequence))), body: "")
  }

  @Test func `nothing from before a gap is kept, so that nobody is told around it`() {
    let recent = RecentEvents()
    recent.append((1...3).map(event))
    recent.append((6...7).map(event))
    #expect(recent.events(after: 2, of: nil, limit: 9) == nil)
    #expect(recent.events(after: 5, of: nil, limit: 9)?.map(\.event.sequence) == [6, 7])
    #expect(recent.events(after: 6, of: nil, limit: 9)?.map(\.event.sequence) == [7])
  }

  @Test func `whoever lacks one event more than is kept is given none`() {
    let recent = RecentEvents()
    recent.append((5...7).map(event))
    #expect(recent.events(after: 4, of: nil, limit: 9)?.map(\.event.sequence) == [5, 6, 7])
    #expect(recent.events(after: 3, of: nil, limit: 9) == nil)
  }
}
