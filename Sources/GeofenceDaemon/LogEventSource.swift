import EventDelivery
import Geofencing
import MonitorStorage

/// The event log as deliveries see it: read on the reader's connection, cursors kept by the writer.
struct LogEventSource: EventSource {
  let monitoring: Monitoring
  let reader: EventReader

  var signal: SequenceSignal { monitoring.signal }

  func events(after sequence: Int64, user: UInt32?, limit: Int) async throws -> [Event] {
    try await reader.events(
      after: sequence, matching: EventReader.Filter(user: user), limit: limit)
  }

  func cursor(of consumer: String) async throws -> Int64 {
    try await monitoring.cursor(of: consumer)
  }

  func setCursor(of consumer: String, to sequence: Int64) async throws {
    try await monitoring.setCursor(of: consumer, to: sequence)
  }
}
