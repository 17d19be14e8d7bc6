import Glibc
import LinuxSystem
import Systemd

/// What the daemon has to say to whoever runs it: a sentence, and fields for programs.
///
/// It goes to the journal where the service manager connected the daemon to it, else to standard
/// error. Events are not told here.
actor OperatorLog {
  /// How much it matters (syslog's numbers).
  enum Priority: Int, Sendable {
    /// Someone should act.
    case error = 3
    /// It went wrong and the daemon carried on.
    case warning = 4
    /// The state changed.
    case notice = 5
    case debug = 7
  }

  /// The fixed ids of messages that the catalogue explains.
  enum MessageID: String, Sendable {
    case launchFailed = "840bc103cce449e6b793971837e00c2b"
    case logSetAside = "9bc69295923a480db0e80157adb758dc"
    case receiverUnreachable = "4d56ab21cfeb4e2e99568c058993fe10"
    case storageFailing = "26bb86d4e763407f92b3158863fdfc6c"
    case eventsUnread = "61d18e92a297458f81aa840547fca1d8"
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  // Both ways of writing can wait.
  private let executor = SerialQueueExecutor(label: "geofenced.log")
  private let journal: Journal?

  init() {
    let journal = Journal()
    let stream = unsafe getenv("JOURNAL_STREAM").map { unsafe String(cString: $0) }
    let isConnected = Self.isJournal(STDERR_FILENO, by: stream) && journal.isAvailable
    self.journal = isConnected ? journal : nil
  }

  /// Whether a descriptor leads to the journal.
  ///
  /// - Parameter stream: what JOURNAL_STREAM says: the device and the inode of what does. Programs inherit
  ///   it whose standard error is something else (systemd.exec(5)).
  static func isJournal(_ descriptor: Int32, by stream: String?) -> Bool {
    var status = stat()
    guard let stream, unsafe fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Says something: an English sentence without a full stop.
  func say(
    _ priority: Priority, _ message: String, id: MessageID? = nil,
    _ fields: [(name: String, value: String)] = []
  ) {
    if let journal {
      var entry: [(name: String, value: String)] = [
        ("MESSAGE", message), ("PRIORITY", String(priority.rawValue)),
        ("SYSLOG_IDENTIFIER", "geofenced"),
      ]
      if let id { entry.append(("MESSAGE_ID", id.rawValue)) }
      do {
        return try journal.send(entry + fields)
      } catch {
        // The journal restarts now and then; standard error is still there.
      }
    }
    guard priority != .debug else { return }
    let details = fields.map { " \($0.name)=\($0.value)" }.joined()
    let line = Array("geofenced: \(message)\(details)\n".utf8)
    _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
  }
}
