import BenchmarkSupport
import SQLite
import TestSupport

/// A daemon with a gpsd that is played here, and a subscriber of its events.
final class MeasuredDaemon {
  let daemon: DaemonProcess
  let driver: FixDriver

  /// The receiver is silent while others are measured; the daemon mustn't reconnect because of that.
  static let patience = "[Receiver]\nSilenceSec=1h"

  /// Starts a daemon with its state below a folder.
  ///
  /// - Parameter processor: The processor for all its threads; nil is any.
  init(in folder: String, processor: Int?) async throws {
    let gpsd = try PlayedGPSD()
    daemon = try DaemonProcess(
      configuration: DaemonProcess.configuration(gpsdPort: gpsd.port, more: Self.patience),
      in: folder)
    try await daemon.start()
    if let processor { try await pin(daemon.identifier ?? 0, to: processor) }
    _ = try await daemon.importPlaces(Course.places)
    driver = try FixDriver(gpsd, eventsAt: daemon.eventsSocket)
  }

  /// The rows that it has written last: an event, its explanation, its fix, and the motion model.
  func lastRows() throws -> BareCommit.Rows {
    let connection = try Connection(path: daemon.database, mode: .readOnly)
    func value(_ sql: String) throws -> SQLiteValue {
      guard let value = try connection.query(sql).first?.first, value != .null else {
        throw BenchmarkFailure("nothing was written: \(sql)")
      }
      return value
    }
    return BareCommit.Rows(
      event: try value("SELECT body FROM event ORDER BY sequence DESC LIMIT 1"),
      explanation: try value("SELECT body FROM explanation ORDER BY sequence DESC LIMIT 1"),
      location: try value("SELECT location FROM last_fix"),
      motion: try value("SELECT motion FROM last_fix"),
      considered: try value("SELECT considered FROM last_fix"))
  }
}
