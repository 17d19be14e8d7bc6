import ControlInterface
import Geofencing
import LinuxSystem

/// Records what gpsd sends in a file, for a later replay: at most one recording at a time, within limits.
///
/// It has a thread of its own, because writing may wait for the disk. Nothing that goes wrong here
/// reaches the judging of fixes.
actor Recorder {
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Takes what gpsd sends.
  nonisolated let tap = RecordingTap()

  /// Grows with every recording that begins.
  nonisolated let started = SequenceSignal(latest: 0)

  /// The smallest limit of a recording's size that makes sense, in bytes: some reports have to fit in.
  static let leastBytes = 4_096

  /// The most of a recording that is read at once, in bytes; a line is shorter.
  static let chunkSize = 1 << 16

  private let executor = SerialQueueExecutor(label: "geofenced.recorder")
  private let folder: RecordingFolder
  private let limits: @Sendable () -> Configuration.Storage
  private let need: ReceiverNeed
  private let clock: DaemonClock
  private var current: RecordingWriter?
  private var last: RecordingRecord?

  /// Why a recording couldn't be written to its end, until ``takeFailure()`` is called.
  private var failure: String?

  /// The reason that keeps the receiver in use while something is recorded.
  ///
  /// No session of a user can have this name.
  static let reason = ReceiverNeed.Reason.session("(recording)")

  /// A recorder with its files in a state directory; it repairs files that a crash has left.
  init(
    in stateDirectory: String, limits: @escaping @Sendable () -> Configuration.Storage,
    need: ReceiverNeed, clock: DaemonClock
  ) {
    folder = RecordingFolder(in: stateDirectory)
    self.limits = limits
    self.need = need
    self.clock = clock
    folder.mend()
  }

  // MARK: The recording under way

  /// Begins a recording.
  ///
  /// Without a name it is named after the date.
  ///
  /// - Parameter replacing: Whether the user's oldest recordings are removed if there are as many as are allowed.
  /// - Throws: ``ControlError`` when one is under way, a limit is reached, or the name can't be used.
  func start(
    user: UInt32, name: String?, duration: Duration?, bytes: Int?, replacing: Bool = false
  ) throws(ControlError) -> RecordingRecord {
    let limits = limits()
    if let current {
      throw ControlError(
        .recordingRefused,
        current.user == user
          ? "'\(current.name)' is being recorded already; 'geofenced ctl record stop' ends it"
          : "another user's recording is under way")
    }
    let name = name ?? clock.now().rfc3339.filter { $0 != ":" }
    try Self.check(name)
    let duration = duration ?? limits.maximumRecordingTime
    try Self.check(duration, limits)
    let bytes = bytes ?? limits.maximumRecordingBytes
    try Self.check(bytes, limits)
    let replaced = try checkRoom(for: user, limits, replacing: replacing)
    let writer: RecordingWriter
    do {
      let file = try folder.create(name, of: user)
      try remove(replaced, for: name)
      writer = RecordingWriter(
        file, user: user, name: name, maximumBytes: bytes, duration: duration, now: clock.now(),
        uptime: clock.uptime())
    } catch .alreadyExists {
      throw ControlError(
        .recordingRefused, "there is a recording '\(name)' already; choose another name")
    } catch {
      throw ControlError(
        .persistenceUnavailable, "no recording was begun in \(folder.path): \(error)")
    }
    current = writer
    tap.open()
    need.add(Self.reason)
    started.advance()
    return shown(writer)
  }

  /// Checks that there may be one more recording.
  ///
  /// - Returns: the recordings that have to be removed for it.
  private func checkRoom(
    for user: UInt32, _ limits: Configuration.Storage, replacing: Bool
  ) throws(ControlError) -> ArraySlice<RecordingFolder.Entry> {
    let (count, own) = (folder.entries(of: nil).count, folder.entries(of: user))
    let surplus = max(0, count + 1 - limits.maximumRecordings)
    guard surplus == 0 || replacing && surplus <= own.count && limits.maximumRecordings > 0 else {
      throw ControlError(
        .quotaExceeded,
        limits.maximumRecordings == 0
          ? "recordings are turned off (MaximumRecordings=0)"
          : "there are \(limits.maximumRecordings) recordings, the most that MaximumRecordings= allows; "
            + (user == 0 || !own.isEmpty
              ? "'geofenced ctl record delete' removes one"
              : "none is yours: their users or root can remove some"))
    }
    // Recordings that are removed make room.
    if surplus == 0, let lack = folder.lackOfRoom {
      throw ControlError(
        .persistenceUnavailable, "no recording was begun in \(folder.path): \(lack)")
    }
    return own.sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }.prefix(surplus)
  }

  /// Removes the recordings that have to give way to a new one of this name.
  private func remove(
    _ replaced: ArraySlice<RecordingFolder.Entry>, for name: String
  ) throws(Errno) {
    for entry in replaced {
      do throws(Errno) {
        try folder.remove(entry.name, of: entry.user)
      } catch {
        try? folder.remove(name, of: entry.user)
        throw error
      }
      forget(entry)
    }
  }

  /// Notes that a recording is gone, so that ``status(user:)`` doesn't show it as the last one.
  private func forget(_ entry: RecordingFolder.Entry) {
    if last?.user == entry.user, last?.name == entry.name { last = nil }
  }

  /// Ends the recording under way; root may end anybody's.
  func stop(user: UInt32) throws(ControlError) -> RecordingRecord {
    flush()
    guard let current else { throw ControlError(.recordingRefused, "nothing is being recorded") }
    guard user == 0 || current.user == user else {
      throw ControlError(.permissionDenied, "only root may stop another user's recording")
    }
    end(because: "stopped")
    return record(try entry(current.name, of: current.user))
  }

  /// Writes what has been collected, and ends the recording if its limits are reached or the disk
  /// takes no more.
  ///
  /// - Returns: whether a recording is still under way.
  @discardableResult
  func flush() -> Bool {
    guard let current else { return false }
    do {
      if let lack = folder.lackOfRoom {
        failure = "'\(current.name)' can't go on: \(lack)"
        end(because: lack)
      } else if current.isRemoved {
        failure = "'\(current.name)' can't go on: its file was removed"
        end(because: "its file was removed")
      } else if try !current.write(tap.take()) {
        end(because: "it has reached its \(current.maximumBytes) bytes")
      } else if clock.uptime() >= current.deadline {
        end(because: "its time is over")
      }
    } catch {
      failure = "'\(current.name)' can't be written: \(error)"
      end(because: "writing failed: \(error)")
    }
    return self.current != nil
  }

  /// Why a recording couldn't be written to its end; nil if none failed since this was called last.
  func takeFailure() -> String? {
    defer { failure = nil }
    return failure
  }

  /// Ends the recording under way, if there is one, because the daemon stops.
  func finish() {
    if flush() { end(because: "the daemon stopped") }
  }

  private func end(because reason: String) {
    guard let ended = current else { return }
    tap.close()
    need.remove(Self.reason)
    current = nil
    var reason = reason
    do {
      try ended.finish()
    } catch {
      reason += "; the end may be lost: \(error)"
    }
    last = shown(ended)
    last?.underWay = false
    last?.ended = reason
  }

  // MARK: What there is

  /// The recording under way, or else the one that ended last since the daemon was started, if the
  /// user may see it.
  func status(user: UInt32?) -> RecordingRecord? {
    flush()
    let newest = current.map(shown) ?? last
    return user == nil || newest?.user == user ? newest : nil
  }

  /// The recordings of a user, or of all.
  func list(user: UInt32?) -> [RecordingRecord] {
    flush()
    return folder.entries(of: user).map(record)
  }

  private func entry(
    _ name: String, of user: UInt32
  ) throws(ControlError) -> RecordingFolder.Entry {
    guard let entry = folder.entry(name, of: user) else {
      throw ControlError(
        .noSuchRecording,
        "there is no recording '\(name)' of user \(user); 'geofenced ctl record list' shows all")
    }
    return entry
  }

  private func record(_ entry: RecordingFolder.Entry) -> RecordingRecord {
    if let current, current.user == entry.user, current.name == entry.name { return shown(current) }
    if let last, last.user == entry.user, last.name == entry.name { return last }
    return RecordingRecord(
      user: entry.user, name: entry.name, bytes: entry.bytes, modified: entry.modified)
  }

  private func shown(_ writer: RecordingWriter) -> RecordingRecord {
    var record = RecordingRecord(
      user: writer.user, name: writer.name, bytes: writer.bytes, modified: clock.now())
    record.underWay = true
    record.began = writer.began
    // By the clock of now, which may have been set since it began.
    record.until = clock.now() + (writer.deadline - clock.uptime())
    record.maximumBytes = writer.maximumBytes
    record.lines = writer.lines
    record.dropped = writer.dropped
    return record
  }

  /// Whole lines of a recording from an offset in bytes on, and the offset of those that follow; nil after the last.
  func read(
    _ name: String, of user: UInt32, from offset: Int
  ) throws(ControlError) -> (text: String, next: Int?) {
    flush()
    try Self.check(name)
    guard offset >= 0 else {
      throw ControlError(.recordingRefused, "an offset begins at 0, got \(offset)")
    }
    let entry = try entry(name, of: user)
    // The system refuses offsets that are too large, so they aren't read from.
    guard offset < entry.bytes else { return ("", nil) }
    let bytes: [UInt8]
    do {
      bytes = try folder.read(name, of: user, from: offset, count: Self.chunkSize)
    } catch {
      throw ControlError(.persistenceUnavailable, "the recording '\(name)' can't be read: \(error)")
    }
    let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    let text = String(decoding: bytes[..<end], as: UTF8.self)
    return (text, end == 0 ? nil : offset + end)
  }

  /// Removes a recording.
  func remove(_ name: String, of user: UInt32) throws(ControlError) -> RecordingRecord {
    try Self.check(name)
    let entry = try entry(name, of: user)
    let removed = record(entry)
    guard !removed.underWay else {
      throw ControlError(.recordingRefused, "'\(name)' is being recorded; stop it first")
    }
    do {
      try folder.remove(name, of: user)
    } catch {
      throw ControlError(
        .persistenceUnavailable, "the recording '\(name)' can't be removed: \(error)")
    }
    forget(entry)
    return removed
  }
}
