import EventDelivery
import Geofencing
import Testing

/// What is kept of the newest events.
struct RecentEventsTests {
  private func event(_ sequence: Int64, size: Int) -> LoggedEvent {
    let key = ConditionKey(monitor: MonitorKey(user: 1000, name: "default"), identifier: "home")
    return LoggedEvent(
      Event(
        sequence: sequence, log: nil, recorded: nil,
        transition: Transition(
          key: key, kind: .entered, state: .satisfied, previousState: .unsatisfied,
          date: Timestamp(nanoseconds: sequence))),
      body: String(repeating: "x", count: size))
  }

  private func event(_ sequence: Int64) -> LoggedEvent { event(sequence, size: 0) }

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

  @Test func `few that are large are kept no longer than many that are small`() {
    let recent = RecentEvents()
    for sequence in Int64(1)...8 { recent.append([event(sequence, size: 32_768)]) }
    #expect(recent.events(after: 0, of: nil, limit: 9)?.count == 8)
    recent.append([event(9, size: 32_768)])
    #expect(recent.events(after: 4, of: nil, limit: 9) == nil)
    #expect(recent.events(after: 5, of: nil, limit: 9)?.map(\.event.sequence) == [6, 7, 8, 9])
  }

  @Test func `no more are given than are asked for`() {
    let recent = RecentEvents()
    recent.append((1...5).map(event))
    #expect(recent.events(after: 1, of: nil, limit: 2)?.map(\.event.sequence) == [2, 3])
  }
}
