import EventDelivery
import Geofencing
import MonitorStorage

/// The event log for deliveries. The newest events are in memory, older ones are read on the reader's connection,
/// and cursors are stored by the writer.
extension Monitoring: EventSource {
  nonisolated func events(
    after sequence: Int64, for consumer: EventConsumer, limit: Int
  ) async throws -> (events: [LoggedEvent], lagged: Lagged?) {
    if let events = recent.events(after: sequence, of: consumer.user, limit: limit) {
      return (events, nil)
    }
    let page = try await reader.page(
      after: sequence, matching: EventReader.Filter(user: consumer.user), limit: limit,
      of: consumer.name)
    return (page.events, page.lagged)
  }
}
