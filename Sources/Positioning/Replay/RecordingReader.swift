import XML

/// Turns the lines of a recording, or the points of a track, into events.
package final class RecordingReader {
  /// What has been met so far.
  private(set) var summary = RecordingSummary()

  private var lines: LineReader
  private let format: Recording.Format
  private let decoder = GPSDDecoder()
  private var rhythms = ByReceiver<EpochRhythm>()
  private var nmea = NMEAReader()
  private var track = GPXTrackReader()
  private var devices: [String] = []

  /// Events that were read and not yet handed out, in order.
  private var events: [SourceEvent]
  private var nextEvent = 0
  private var isFinished = false

  package init(_ file: consuming RecordingFile, name: String) {
    format = file.format
    lines = LineReader(
      file.descriptor, after: file.head, maximumLength: GPSDDecoder.maximumLineLength)
    events = [.connected("recording \(name)")]
  }

  /// The next event, or nil after the last one.
  package func next() -> SourceEvent? {
    while nextEvent == events.count {
      if isFinished { return nil }
      events.removeAll(keepingCapacity: true)
      nextEvent = 0
      if format == .gpx {
        readTrack()
      } else if let line = lines.next() {
        summary.lines += 1
        read(line[...])
      } else {
        isFinished = true
        finish()
      }
    }
    defer { nextEvent += 1 }
    return events[nextEvent]
  }

  private func readTrack() {
    let bytes = lines.nextPiece()
    do throws(XMLMistake) {
      // A file that can't be read to its end isn't blamed for being incomplete.
      if lines.failure == nil { try track.read(bytes, into: &events) }
      isFinished = bytes.isEmpty
    } catch {
      summary.failure = .malformed(line: error.line, error.problem)
      isFinished = true
    }
    summary.points = track.points
    if isFinished { finish() }
  }

  private func read(_ line: ArraySlice<UInt8>) {
    switch format {
    case .gpx: break
    case .nmea:
      // Before the sentences, `gpspipe -r` writes what gpsd says of itself.
      if !nmea.read(line, into: &events), !line.isComment,
        decoder.decode(line.fromBrace.span) == nil
      {
        summary.malformedLines += 1
      }
    case .gpsd:
      // `gpspipe -wr` mixes the receiver's sentences in; gpsd has read those already.
      let message = line.fromBrace
      if message.isEmpty {
        if !line.isComment, NMEASentence(line) == nil { summary.malformedLines += 1 }
      } else if let message = decoder.decode(message.span) {
        read(message)
      } else {
        summary.malformedLines += 1
      }
    }
  }

  private func read(_ message: GPSDMessage) {
    switch message {
    case .tpv(let tpv):
      events.append(.tpv(tpv))
      // As on a live connection: a replay judges what was judged then.
      if rhythms[tpv.device, default: EpochRhythm()].take(tpv) {
        events.append(.epochComplete(of: tpv.device))
      }
    case .sky(let device, let used, let seen):
      events.append(.sky(of: device, used: used, seen: seen))
    case .devices(let names):
      devices = names
      events.append(.devices(names))
    case .device(let name, let isActivated):
      if devices.note(name, isActivated: isActivated) { events.append(.devices(devices)) }
    case .version, .watch, .error, .other: break
    }
  }

  private func finish() {
    if format == .nmea { nmea.finish(into: &events) }
    rhythms.updateEach { device, _ in events.append(.epochComplete(of: device)) }
    summary.overlongLines = lines.overlongLines
    if let failure = lines.failure { summary.failure = .system(failure) }
  }
}

extension ArraySlice<UInt8> {
  /// Whether gpsd's collection of receiver logs marks it as a remark.
  fileprivate var isComment: Bool { first == UInt8(ascii: "#") }
}
