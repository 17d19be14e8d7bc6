import LinuxSystem
import Positioning
import Synchronization

/// Collects what gpsd sends while a recording is under way.
///
/// Reading gpsd never waits for the disk: lines are queued up to a limit, and beyond it dropped and counted.
final class RecordingTap: Sendable {
  /// How many bytes wait at most; if the disk is slower than that for long, lines are dropped.
  static let maximumQueue = 1 << 20

  /// From how many bytes on the queue has to be written at once.
  static let fullQueue = 1 << 16

  /// Lines with their line breaks, and how many were dropped meanwhile.
  struct Batch: Sendable, Equatable {
    var bytes: [UInt8] = []
    var lines = 0
    var dropped = 0
  }

  fileprivate struct State {
    var isOpen = false
    var queue = Batch()
    /// gpsd's newest banner, for recordings that begin later; below, its newest list of receivers.
    var version: [UInt8]?
    var devices: [UInt8]?
    /// The newest line of each receiver that came or went since that list.
    var changed: [(name: String, line: [UInt8])] = []
    var satellites = RecordedSatellites()

    /// For how many receivers such lines are kept at most: a broken gpsd could name ever more.
    private static let mostChanged = 64

    /// Notes the line of a receiver that came or went.
    mutating func note(_ line: [UInt8], of name: String) {
      changed.removeAll { $0.name == name }
      if changed.count < Self.mostChanged { changed.append((name, line)) }
    }
  }

  /// Grows when the queue has to be written.
  let signal = SequenceSignal(latest: 0)

  private let state = Mutex(State())

  /// Takes a line of gpsd and its meaning, as a ``RawLineTap``.
  func offer(_ line: [UInt8], meaning message: GPSDMessage) {
    switch message {
    case .version, .devices, .device: break
    // The lines that come most often are dropped at once when nothing is recorded.
    case .tpv, .sky, .watch: guard state.withLock({ $0.isOpen }) else { return }
    // Other reports of gpsd (ships, corrections) are of no use in a replay.
    case .error, .other: return
    }
    var line = line
    while line.last == 0x0D { line.removeLast() }
    let isText = !line.contains(0x0D) && String(validating: line, as: UTF8.self) != nil
    line.append(0x0A)
    let isFull = state.withLock { state in
      guard isText else {
        if state.isOpen { state.queue.dropped += 1 }
        return false
      }
      if case .version = message {
        state.version = line
        state.satellites.forget()
      }
      if case .devices = message { (state.devices, state.changed) = (line, []) }
      if case .device(let name, _) = message { state.note(line, of: name) }
      // A recording begins with the banner.
      guard state.isOpen, state.version != nil else { return false }
      if case .sky(let device, let used, let seen) = message {
        state.satellites.take(line, used: used, seen: seen, by: device)
        return false
      }
      if case .tpv(let report) = message, let line = state.satellites.takeLine(before: report) {
        _ = state.queue.add(line)
      }
      return state.queue.add(line)
    }
    if isFull { signal.advance() }
  }

  /// Begins to collect, with the banner and the receivers that are known already.
  func open() {
    state.withLock { state in
      state.queue = Batch()
      state.satellites.forget()
      state.isOpen = true
      guard let version = state.version else { return }
      _ = state.queue.add(version)
      if let devices = state.devices { _ = state.queue.add(devices) }
      for change in state.changed { _ = state.queue.add(change.line) }
    }
  }

  /// Hands over what has been collected, and goes on collecting.
  func take() -> Batch {
    state.withLock { state in
      defer { state.queue = Batch() }
      return state.queue
    }
  }

  /// Stops collecting; what is left can still be taken.
  func close() {
    state.withLock { $0.isOpen = false }
  }
}

extension RecordingTap.Batch {
  /// Queues a line, or counts it as dropped; true when the queue has to be written.
  fileprivate mutating func add(_ line: [UInt8]) -> Bool {
    guard bytes.count + line.count <= RecordingTap.maximumQueue else {
      dropped += 1
      return false
    }
    bytes += line
    lines += 1
    return bytes.count >= RecordingTap.fullQueue
  }
}
