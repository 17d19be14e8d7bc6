import ControlInterface
import LinuxSystem
import MonitorStorage
import Varlink

/// The method that reads the event log without a named consumer.
extension ControlMethods {
  func events(
    _ parameters: Events.Parameters, _ call: VarlinkCall, _ replies: VarlinkReplies<EventsReply>
  ) async throws -> EventsReply {
    try check(monitor: parameters.monitor)
    if let identifier = parameters.identifier { try check(identifier) }
    let filter = EventReader.Filter(
      user: try visibleUser(parameters.user, call), monitor: parameters.monitor,
      identifier: parameters.identifier, kinds: Set(parameters.kinds ?? []),
      from: parameters.from, until: parameters.until)
    // A number beyond the newest event may be of another log: no event would ever come.
    var position = parameters.since ?? 0
    if position > monitoring.signal.latest {
      position = min(position, await monitoring.latestSequence)
    }
    if let last = parameters.last {
      guard last > 0 else {
        throw VarlinkError.invalidParameter("last", message: "this wants a number from 1")
      }
      position = max(
        position,
        try await queries.beginning(ofNewest: last, after: position, matching: filter))
    }
    while true {
      let page = try await queries.page(after: position, matching: filter, limit: Self.pageSize)
      guard call.wantsMore else { return EventsReply(page: page) }
      if !page.events.isEmpty || page.lagged != nil {
        try await replies.send(EventsReply(page: page))
      }
      position = max(position, page.end)
      try await monitoring.signal.wait(after: position)
    }
  }
}
