import Glibc
import LinuxSystem
import Synchronization
import Systemd

/// The messages of the daemon to whoever runs it: a sentence each, and fields for programs.
///
/// They go to the journal if the service manager has connected the daemon to it, else to standard error. Both may
/// block, and nothing waits for them: messages that are too many are left out and counted. Events aren't written
/// here.
package final class OperatorLog: Sendable {
  /// How much it matters (syslog's numbers).
  package enum Priority: Int, Sendable {
    /// Someone should act.
    case error = 3
    /// It went wrong and the daemon carried on.
    case warning = 4
    /// The state changed.
    case notice = 5
  }

  /// The fixed ids of messages that the catalogue explains.
  enum MessageID: String, Sendable {
    case launchFailed = "840bc103cce449e6b793971837e00c2b"
    case logSetAside = "9bc69295923a480db0e80157adb758dc"
    case receiverUnreachable = "4d56ab21cfeb4e2e99568c058993fe10"
    case storageFailing = "26bb86d4e763407f92b3158863fdfc6c"
    case eventsUnread = "61d18e92a297458f81aa840547fca1d8"
  }

  private let work = BackgroundWork(label: "geofenced.log", limit: 256)

  /// How many sentences were left out since the last one that was written.
  private let leftOut = Mutex(0)
  private let usesJournal = Journal.isStandardError && Journal.isAvailable

  /// Lines for standard error; if that leads to the journal, they begin with their priority (sd-daemon(3)).
  package static func line(_ priority: Priority, _ text: String) -> String {
    guard Journal.isStandardError else { return text }
    let mark = "<\(priority.rawValue)>"
    return mark + text.replacing("\n", with: "\n\(mark)")
  }

  /// The longest message in bytes.
  private static let longestMessage = 2000

  /// Says something: an English sentence without a full stop.
  ///
  /// - Parameter isLast: whether it is the last message, which is never left out.
  func say(
    _ priority: Priority, _ message: String, id: MessageID? = nil,
    _ fields: [Journal.Field] = [], isLast: Bool = false
  ) {
    let missing = leftOut.withLock { count in
      defer { count = 0 }
      return count
    }
    let isTaken = work.add(always: isLast) { [self] in
      if missing > 0 {
        write(
          .warning, "\(missing) messages were left out here: nobody read the earlier ones", nil, [])
      }
      write(priority, message, id, fields)
    }
    if !isTaken { leftOut.withLock { $0 += missing + 1 } }
  }

  /// Waits until everything is written, but no longer than a second; to be called at the end.
  func finish() { work.finish(within: .seconds(1)) }

  private func write(
    _ priority: Priority, _ message: String, _ id: MessageID?,
    _ fields: [Journal.Field]
  ) {
    // A message may quote others: gpsd, the bus, a file.
    let message = message.oneLine(ofAtMost: Self.longestMessage)
    if usesJournal {
      var entry: [Journal.Field] = [
        ("MESSAGE", message), ("PRIORITY", String(priority.rawValue)),
        ("SYSLOG_IDENTIFIER", "geofenced"),
      ]
      if let id { entry.append(("MESSAGE_ID", id.rawValue)) }
      do {
        return try Journal.send(entry + fields)
      } catch {
        // If the journal is just restarting, standard error still works.
      }
    }
    let details = fields.map { " \($0.name)=\($0.value)" }.joined()
    try? FileContents.write(
      Array("geofenced: \(message)\(details)\n".utf8), to: STDERR_FILENO)
  }
}
