import LinuxSystem
import SQLite
import TestSupport

/// A daemon with a gpsd that is played here, and a subscriber of its events.
final class MeasuredDaemon {
  let daemon: DaemonProcess
  let driver: FixDriver

  /// Starts a daemon whose state is below a folder.
  ///
  /// - Parameter processor: where all its threads run; nil for anywhere.
  init(in folder: String, processor: Int?) async throws {
    let gpsd = try PlayedGPSD()
    daemon = try DaemonProcess(
      configuration: DaemonProcess.configuration(gpsdPort: gpsd.port), in: folder)
    try await daemon.start()
    if let processor { try await pin(daemon.identifier ?? 0, to: processor) }
    let path = daemon.folder + "/places.geojson"
    try FileContents.replace(path, with: Array(Course.places.utf8))
    let imported = try await daemon.ctl("import", path)
    guard imported.status == 0 else { throw FixDriver.Failure(description: imported.errors) }
    driver = try FixDriver(gpsd, eventsAt: daemon.eventsSocket)
  }

  /// What it has written last: the texts of an event, its explanation and its fix.
  func lastRows() throws -> BareCommit.Rows {
    let connection = try Connection(path: daemon.database, mode: .readOnly)
    func text(_ sql: String) throws -> String {
      guard let text = try connection.query(sql).first?.first?.text else {
        throw FixDriver.Failure(description: "nothing was written: \(sql)")
      }
      return text
    }
    return BareCommit.Rows(
      event: try text("SELECT body FROM event ORDER BY sequence DESC LIMIT 1"),
      explanation: try text("SELECT body FROM explanation ORDER BY sequence DESC LIMIT 1"),
      location: try text("SELECT location FROM last_fix"),
      motion: try connection.query("SELECT motion FROM last_fix").first?.first?.blob ?? [])
  }
}
