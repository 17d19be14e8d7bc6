import JSONCoding
import LinuxSystem

/// One connection to gpsd without the socket: what was read and the time go in, what to do comes out.
///
/// gpsd fails by silence: an unplugged receiver, a stopped gpsd and one that can't start all leave a
/// connection on which nothing comes. So every phase but the last has an end.
struct GPSDSession {
  typealias Instant = ContinuousClock.Instant

  /// What is to be done next.
  enum Action: Hashable {
    /// Tell this.
    case event(SourceEvent)

    /// Send this to gpsd.
    case send([UInt8])

    /// Read, for this long at most.
    case read(timeout: Duration)

    /// Give the connection up.
    case close(Ending)
  }

  /// Why the connection has to end.
  struct Ending: Hashable {
    let reason: String

    /// Whether gpsd answered to the end and only the receiver is silent.
    var isSilence = false
  }

  private enum Phase {
    /// The banner has to come.
    case greeting(until: Instant)

    /// Reports have to come.
    case watching(until: Instant)

    /// None came, and gpsd has been asked for its receivers.
    case asking(until: Instant)

    /// gpsd answered, so it is the receiver that is silent.
    case waiting(until: Instant)

    case ended(Ending)

    var deadline: Instant? {
      switch self {
      case .greeting(let end), .watching(let end), .asking(let end), .waiting(let end): end
      case .ended: nil
      }
    }
  }

  private let settings: GPSDSettings
  private let patience: Duration
  private let counters: GPSDCounters
  private let tap: RawLineTap?
  private let decoder = GPSDDecoder()
  private var buffer = FrameBuffer(
    delimiter: UInt8(ascii: "\n"), limit: GPSDDecoder.maximumLineLength)
  private var phase: Phase
  private var actions: [Action] = []
  private var ends: EpochEnds
  private var lastRead: Instant
  private var bytesSinceMessage = 0
  private var devices: [String] = []

  /// How late the end of a silence is noticed at most, unless the machine sleeps or the process is stopped.
  private static let longestDelay = Duration.seconds(5)

  /// Whether it was noticed late since the last report.
  private var wasLate = false

  /// Whether a report has come.
  private(set) var hasReported = false

  /// A connection that was made just now.
  ///
  /// - Parameters:
  ///   - patience: how long to wait while gpsd answers but has no reports.
  ///   - tap: gets every line that is a message.
  init(
    _ settings: GPSDSettings, patience: Duration, counters: GPSDCounters,
    tap: RawLineTap? = nil, now: Instant
  ) {
    self.settings = settings
    self.counters = counters
    self.tap = tap
    self.patience = patience
    ends = EpochEnds(settings)
    lastRead = now
    phase = .greeting(until: now + settings.bannerTimeout)
  }

  /// Takes bytes that were read; none of them is the end of the stream.
  mutating func receive(_ bytes: [UInt8], now: Instant) {
    guard !bytes.isEmpty else { return end("gpsd closed the connection") }
    lastRead = now
    bytesSinceMessage += bytes.count
    buffer.append(bytes)
  }

  /// Takes note that reading lasted as long as it was allowed to and brought nothing.
  mutating func timeOut(now: Instant) {
    tellEpochs(ends.complete(by: now))
    guard let deadline = phase.deadline, deadline <= now else { return }
    switch phase {
    case .greeting:
      end(
        bytesSinceMessage == 0
          ? "gpsd accepted the connection but doesn't answer: is it starting, or hanging?"
          : "what answers there isn't gpsd: it didn't say VERSION")
    case .watching:
      // The machine slept, or the process was stopped, so that the receiver had no time to say anything. That
      // excuses it only once: some machines sleep again and again.
      guard wasLate || deadline.duration(to: now) < Self.longestDelay else {
        phase = .watching(until: now + settings.silence)
        wasLate = true
        return
      }
      phase = .asking(until: now + settings.silence)
      actions += [.event(.silent), .send(Array("?DEVICES;\n".utf8) + watch)]
    case .asking:
      end("gpsd doesn't answer: is it hanging?")
    case .waiting:
      end(ReceiverStatus.silence(of: devices), isSilence: true)
    case .ended:
      break
    }
  }

  /// Whether there is something to tell before more is read.
  var hasMore: Bool {
    actions.contains { action in if case .event = action { true } else { false } }
  }

  /// What to do now; after ``Action/close(_:)`` there is nothing more.
  mutating func next(now: Instant) -> Action {
    while true {
      if !actions.isEmpty {
        let action = actions.removeFirst()
        // Looks ahead for the next event, as a line that is there may mean nothing.
        while !hasMore, takeLine() {}
        return action
      }
      if case .ended(let ending) = phase { return .close(ending) }
      if !takeLine() {
        guard bytesSinceMessage <= settings.garbageLimit else {
          end("what answers there doesn't speak like gpsd")
          continue
        }
        let deadline = [phase.deadline, ends.next].compactMap { $0 }.min() ?? now
        return .read(timeout: max(.zero, now.duration(to: deadline)))
      }
    }
  }

  /// Takes the next whole line; false when there is none, or it makes no difference any more.
  private mutating func takeLine() -> Bool {
    if case .ended = phase { return false }
    switch buffer.next() {
    case .frame(let line): take(line)
    case .tooLong: counters.update { $0.tooLongLines += 1 }
    case nil: return false
    }
    return true
  }

  private mutating func take(_ line: [UInt8]) {
    guard let message = decoder.decode(line.span) else {
      counters.update { $0.undecodableLines += 1 }
      return
    }
    tap?(line, message)
    bytesSinceMessage = 0
    if case .greeting = phase {
      guard case .version(let release) = message else { return }
      phase = .watching(until: lastRead + settings.silence)
      counters.update { $0.connections += 1 }
      actions += [.event(.connected("gpsd \(release)")), .send(watch)]
      return
    }
    if case .asking = phase {
      phase = .waiting(until: lastRead + (hasReported ? settings.silence : patience))
    }
    switch message {
    case .tpv(let report):
      (hasReported, wasLate) = (true, false)
      phase = .watching(until: lastRead + settings.silence)
      actions.append(.event(.tpv(report)))
      if ends.take(report, now: lastRead) { tellEpochs([report.device]) }
    case .sky(let device, let used, let seen):
      // Other messages, as those of ships, say nothing about an epoch.
      ends.takeSky(of: device, now: lastRead)
      actions.append(.event(.sky(of: device, used: used, seen: seen)))
    case .devices(let names):
      devices = names
      actions.append(.event(.devices(devices)))
    case .device(let name, let isActivated):
      take(device: name, isActivated: isActivated)
    case .error(let text):
      end("gpsd refused: \(text)")
    case .version, .watch, .other:
      break
    }
  }

  /// Keeps the list of receivers when one comes or goes.
  private mutating func take(device: String, isActivated: Bool) {
    guard devices.note(device, isActivated: isActivated) else { return }
    if isActivated {
      // Without -n, gpsd doesn't open a receiver that comes back until a client asks for something,
      // even while clients watch (seen with 3.22).
      actions.append(.send(watch))
    }
    actions.append(.event(.devices(devices)))
  }

  private mutating func tellEpochs(_ complete: [String?]) {
    actions += complete.map { .event(.epochComplete(of: $0)) }
  }

  /// Ends the session, if it hasn't ended: because the connection broke, or for what came over it.
  mutating func end(_ reason: String, isSilence: Bool = false) {
    guard phase.deadline != nil else { return }
    tellEpochs(ends.complete(by: nil))
    phase = .ended(Ending(reason: reason, isSilence: isSilence))
  }

  /// The request for reports, of all receivers or of one.
  private var watch: [UInt8] {
    var request = JSONWriter(capacity: 128)
    request.object { request in
      request.member("device", settings.device)
      request.member("enable", true)
      request.member("json", true)
    }
    return Array("?WATCH=\(request.text() ?? "");\n".utf8)
  }
}
