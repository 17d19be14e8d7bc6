import EventDelivery
import Geofencing
import LinuxSystem
import MonitorStorage

/// The event log as deliveries see it: the newest events are at hand, those before are read on the
/// reader's connection, and cursors are kept by the writer.
struct LogEventSource: EventSource {
  let monitoring: Monitoring
  let reader: EventReader

  var signal: SequenceSignal { monitoring.signal }

  func events(
    after sequence: Int64, for consumer: EventConsumer, limit: Int
  ) async throws -> (events: [LoggedEvent], lagged: Lagged?) {
    if let events = monitoring.recent.events(after: sequence, of: consumer.user, limit: limit) {
      return (events, nil)
    }
    let page = try await reader.page(
      after: sequence, matching: EventReader.Filter(user: consumer.user), limit: limit,
      of: consumer.name)
    return (page.events, page.lagged)
  }

  func register(_ consumer: EventConsumer) async throws -> Int64 {
    try await monitoring.register(consumer)
  }

  func setCursor(of consumer: EventConsumer, to sequence: Int64) async throws {
    try await monitoring.setCursor(of: consumer, to: sequence)
  }
}
