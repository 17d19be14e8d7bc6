import Foundation
import Geofencing
import LinuxSystem
import TestSupport
import Testing

@testable import Positioning

/// The same receiver log through the real gpsd and through our own reader gives the same epochs.
///
/// One log after the other, in two rows: gpsd waits most of the time, but drops a client that doesn't read
/// as fast as it writes.
@Suite struct `gpsd and NMEAReader` {
  static let files: [String] = {
    guard let folder = ProcessInfo.processInfo.environment["RECORDINGS"] else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let files = names.filter { $0.hasSuffix(".nmea") || $0.hasSuffix(".log") }
    return files.map { folder + "/" + $0 }.sorted { (size($0), $0) < (size($1), $1) }
  }()

  private static func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
  }

  /// Every other file, by size.
  private static func row(_ number: Int) -> [String?] {
    let row = files.indices.filter { $0 % 2 == number }.map { files[$0] }
    return row.isEmpty ? [nil] : row
  }

  @Test(.serialized, .timeLimit(.minutes(10)), arguments: row(0))
  func `agree on every epoch of a recording`(path: String?) async throws {
    try await compareWithGPSD(path)
  }

  @Test(.serialized, .timeLimit(.minutes(10)), arguments: row(1))
  func `agree on every epoch of other recordings`(path: String?) async throws {
    try await compareWithGPSD(path)
  }

  private func compareWithGPSD(_ path: String?) async throws {
    guard let path else { try Test.cancel("RECORDINGS names no folder with a log for this row") }
    guard GPSDProcess.isInstalled else { try Test.cancel("gpsd isn't installed") }
    let name = URL(fileURLWithPath: path).lastPathComponent
    if binaryRecordings.contains(name) {
      #expect(throws: RecordingError.unknownFormat(path: path)) { try Recording(path: path) }
      return
    }
    let deviations = Deviations.of[name] ?? Deviations()
    let recording = try Recording(path: path)
    #expect(recording.format == .nmea)
    let ours = await reports(recording).filter { $0.time != nil }
    let theirs = merged(try await throughGPSD(path))

    // Epochs that one side has for itself must be those that are explained, and all of those.
    let onlyOurs = ours.map(\.text).filter(deviations.missingFromGPSD.contains)
    let onlyTheirs = theirs.map(\.text).filter(deviations.misdatedByGPSD.contains)
    #expect(onlyOurs == deviations.missingFromGPSD)
    #expect(onlyTheirs == deviations.misdatedByGPSD)
    let left = ours.indices.filter { !deviations.missingFromGPSD.contains(ours[$0].text) }
    let right = theirs.filter { !deviations.misdatedByGPSD.contains($0.text) }
    try #require(left.count == right.count)

    let told = deviations.sentencesDisagree ? try positionsTold(path) : [:]
    // What gpsd tells of at all, and what of that was compared.
    var (named, compared): (Set<String>, Set<String>) = ([], [])
    /// Equal to the third decimal, to which gpsd rounds.
    func compare(_ mine: Double?, _ other: Double?, _ what: String, at text: String) {
      guard let other else { return }
      named.insert(what)
      guard let mine else { return }
      compared.insert(what)
      #expect(abs(mine - other) < 0.0006, "\(what) at \(text): \(mine) against \(other)")
    }
    for (index, other) in zip(left, right) {
      let mine = ours[index]
      try compareTime(mine, other)
      if deviations.positionComesLate.contains(mine.text) {
        #expect(!mine.hasPosition && other.hasPosition, "\(mine.text)")
        continue
      }
      #expect(mine.hasPosition == other.hasPosition, "\(mine.text)")
      guard mine.hasPosition, other.hasPosition else { continue }
      if deviations.sentencesDisagree {
        let candidates = told[mine.text.timeOfDay] ?? []
        #expect(candidates.contains { isSame($0, other) }, "\(mine.text)")
        #expect(candidates.contains { isSame($0, mine) }, "\(mine.text)")
        continue
      }
      #expect(isSame((mine.latitude ?? .nan, mine.longitude ?? .nan), other), "\(mine.text)")
      if !deviations.velocityDiffers {
        compare(mine.speed, other.speed, "speed", at: mine.text)
        compare(mine.track, other.track, "track", at: mine.text)
      }
      compare(mine.altitudeMSL, other.altitudeMSL, "altitude", at: mine.text)
      if other.eph != nil { named.insert("error") }
      if compareError(ours, index, other) { compared.insert("error") }
    }
    // A reader that never gives one of them would agree.
    #expect(compared == named)
  }

  /// Times are equal, but for the 1024 weeks that gpsd adds to old dates, and its milliseconds.
  private func compareTime(_ mine: TPV, _ other: TPV) throws {
    let difference = try #require(other.time).nanoseconds - #require(mine.time).nanoseconds
    let rest = abs(difference % (1024 * 7 * 86_400_000_000_000))
    #expect(rest < 1_000_000, "\(mine.text) against \(other.text)")
  }

  /// gpsd computes `eph` at the first sentence of an epoch, often before that epoch's dilution of
  /// precision is told: it may be the one before's.
  ///
  /// - Returns: whether there was something to compare.
  private func compareError(_ epochs: [TPV], _ index: Int, _ other: TPV) -> Bool {
    guard let eph = other.eph else { return false }
    let recent = epochs[max(0, index - 2)...index]
    let factors = recent.map { $0.status == 2 ? 4.75 : 19.0 }
    let dilutions = zip(recent, factors).compactMap { epoch, factor in epoch.eph.map { $0 / factor }
    }
    // Without a fix there is a dilution too (99.99), which then isn't in the epoch.
    guard dilutions.count == recent.count else { return false }
    let possible = dilutions.flatMap { dilution in factors.map { dilution * $0 } }
    #expect(
      possible.contains { abs($0 - eph) < 0.0006 },
      "eph at \(epochs[index].text): \(eph) is none of \(possible)")
    return true
  }

  // MARK: Through gpsd

  /// What gpsd makes of a log, as it would be recorded and read back.
  private func throughGPSD(_ path: String) async throws -> [TPV] {
    let gpsd = try GPSDProcess()
    defer { gpsd.stop() }
    let client = try await StreamSocket.connect(
      host: "127.0.0.1", port: gpsd.port, timeout: .untilItHangs)
    try await client.write(Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8))
    var messages = try await collect(client, until: #""class":"WATCH""#)
    // A ship's report behind the log comes out of gpsd when all of the log has.
    let log = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let end = Array("\r\n!AIVDM,1,1,,A,1>pf7hOP?w<tSF0l4Q@>4?wp0000,0*21\r\n".utf8)
    async let feeding: Void = gpsd.feed(log + end)
    messages += try await collect(client, until: #""mmsi":999000001"#)
    try await feeding
    let folder = try TemporaryFolder()
    let file = try folder.write(messages, "gpsd.json")
    let recording = try Recording(path: file)
    #expect(recording.format == .gpsd)
    let reports = await reports(recording)
    #expect(recording.summary.malformedLines == 0)
    return reports
  }

  /// What a client receives, up to the end of the line with a mark.
  private func collect(_ client: StreamSocket, until mark: String) async throws -> [UInt8] {
    let mark = Data(mark.utf8)
    var messages: [UInt8] = []
    var isFound = false
    while let bytes = try await client.read(timeout: .untilItHangs), !bytes.isEmpty {
      let from = max(0, messages.count - mark.count)
      messages += bytes
      if !isFound { isFound = Data(messages[from...]).range(of: mark) != nil }
      if isFound, messages.last == 0x0A { return messages }
    }
    throw TestFailure("gpsd is gone")
  }

  /// gpsd's reports joined by time: the last position of a 2-D fix or better, and the best mode.
  private func merged(_ reports: [TPV]) -> [TPV] {
    var epochs: [TPV] = []
    for report in reports {
      if let time = report.time, epochs.last?.time != time {
        epochs.append(report)
        continue
      }
      guard var open = epochs.popLast() else { continue }
      if report.hasPosition {
        open.latitude = report.latitude
        open.longitude = report.longitude
      }
      open.mode = max(open.mode, report.mode)
      open.speed = report.speed ?? open.speed
      open.track = report.track ?? open.track
      open.altitudeMSL = report.altitudeMSL ?? open.altitudeMSL
      open.eph = report.eph ?? open.eph
      epochs.append(open)
    }
    return epochs
  }

  private func reports(_ recording: Recording) async -> [TPV] {
    var reports: [TPV] = []
    for await event in recording {
      if case .tpv(let tpv) = event { reports.append(tpv) }
    }
    return reports
  }

  /// Every position that a log gives for each time of day, hhmmss.
  private func positionsTold(_ path: String) throws -> [String: [(Double, Double)]] {
    let fields: [String: (time: Int, position: Int)] = [
      "RMC": (1, 3), "GGA": (1, 2), "GLL": (5, 1),
    ]
    var positions: [String: [(Double, Double)]] = [:]
    for line in try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))).split(separator: 0x0A) {
      guard let sentence = NMEASentence(line), let formatter = sentence.formatter,
        let field = fields[formatter], let place = sentence.position(at: field.position)
      else { continue }
      positions[String(decoding: sentence[field.time], as: UTF8.self), default: []]
        .append((place.latitude, place.longitude))
    }
    return positions
  }

  private func isSame(_ position: (Double, Double), _ tpv: TPV) -> Bool {
    abs(position.0 - (tpv.latitude ?? .nan)) < 1e-7
      && abs(position.1 - (tpv.longitude ?? .nan)) < 1e-7
  }
}

/// Recordings that are no NMEA 0183.
private let binaryRecordings: Set = ["gpsd_sirf2.log"]

/// Where gpsd (3.22) is plainly wrong, or does what no reader of the log could know.
private struct Deviations {
  /// Epochs that gpsd leaves out, by our time, in order.
  ///
  /// It sends a report at the sentence that ended the cycle before. While it learns which one that
  /// is, where that sentence is missing, and at the end of a log, an epoch is lost.
  var missingFromGPSD: [String] = []

  /// Epochs that gpsd puts on another day, by its time.
  var misdatedByGPSD: [String] = []

  /// Epochs without a fix to which merging by time adds the next one's position.
  ///
  /// gpsd drops the date with every "no fix" of this receiver, and reports the next position before
  /// it has the date again: without a time, behind the epoch before.
  var positionComesLate: [String] = []

  /// Whether the receiver itself gives several positions for one second, as a bridge on a boat's
  /// network does; then gpsd's and ours must each be one of them.
  var sentencesDisagree = false

  /// Whether gpsd computes speeds from positions because this receiver's VTG comes too late for it.
  var velocityDiffers = false

  static let of: [String: Deviations] = [
    "boat_gavres_2024.nmea": Deviations(missingFromGPSD: ["2024-09-23T14:27:20.000Z"]),
    "drive_belmont_coldstart_2021.nmea": Deviations(missingFromGPSD: ["2021-08-05T18:19:12.000Z"]),
    // The hour goes from 15 back to 14, which gpsd takes for midnight.
    "gpsd_bt451.log": Deviations(
      missingFromGPSD: [
        "2009-12-09T15:25:04.500Z", "2009-12-09T15:25:08.500Z", "2009-12-09T14:33:06.000Z",
        "2009-12-09T14:33:08.500Z",
      ], misdatedByGPSD: ["2029-07-26T14:33:06.000Z"]),
    "gpsd_bundg_zeus_9.log": Deviations(sentencesDisagree: true),
    "gpsd_gp-320fw-2019-04-06-overflow.log": Deviations(
      missingFromGPSD: ["2019-04-06T23:57:26.020Z"]),
    "gpsd_haicom-305N.log": Deviations(missingFromGPSD: ["2007-04-08T09:53:04.802Z"]),
    "gpsd_humminbird-M37.log": Deviations(
      missingFromGPSD: ["2006-09-16T19:41:02.000Z", "2006-09-16T19:41:04.000Z"],
      velocityDiffers: true),
    "gpsd_quectel-eg25-g.log": Deviations(
      positionComesLate: ["2022-09-11T19:15:18.000Z", "2022-09-11T19:15:26.980Z"]),
    "gpsd_rst39.log": Deviations(missingFromGPSD: ["2014-02-19T20:41:32.100Z"]),
  ]
}

extension TPV {
  /// The epoch's time, for people.
  fileprivate var text: String { time?.rfc3339 ?? "no time" }
}

extension String {
  /// The part hhmmss of an RFC 3339 date.
  fileprivate var timeOfDay: String { String(dropFirst(11).prefix(8).filter { $0 != ":" }) }
}
