import Geofencing

/// Makes epochs out of NMEA 0183 sentences, as gpsd would.
///
/// An epoch is what was said for one time of day: one report, with the last position of its
/// sentences. Read are RMC, GGA, GLL, GNS, GSA, GST, VTG, ZDA and GSV of any talker; others pass.
/// `eph` comes from the dilution of precision with gpsd's factors. Nothing of the machine's clock is used: two
/// digits of a year below 80 are 20xx.
struct NMEAReader {
  /// The epoch that is being told, if any.
  private var epoch: Epoch?
  /// The last date that was told, and the time of day it was last known to go with.
  private var date: (day: Int, timeOfDay: Int64)?
  /// The last horizontal dilution of precision; gpsd keeps it too.
  private var hdop: Double?

  /// What the receiver said last of its errors, which it does before its epoch's other sentences or after.
  private var errors: (timeOfDay: Int64, gst: TPV.GST)?
  private var satellites = SatelliteCount()

  /// Whether the receiver sends checksums: a sentence without one was cut off then.
  private var hasChecksums = false

  /// The sentences that are read.
  private static let formatters: Set = [
    "RMC", "GGA", "GLL", "GNS", "GSA", "GST", "VTG", "ZDA", "GSV",
  ]

  /// Whether a line is surely of a receiver: without a checksum, any text may begin as a sentence does.
  static func isSentence(_ line: ArraySlice<UInt8>) -> Bool {
    guard let sentence = NMEASentence(line) else { return false }
    return sentence.hasChecksum || sentence.formatter.map { formatters.contains($0) } == true
  }

  /// Reads one line, and appends what it completes; false when it holds no valid sentence.
  mutating func read(_ line: ArraySlice<UInt8>, into events: inout [SourceEvent]) -> Bool {
    guard let sentence = NMEASentence(line), sentence.hasChecksum || !hasChecksums else {
      return false
    }
    hasChecksums = sentence.hasChecksum
    switch sentence.formatter {
    case "RMC": readRMC(sentence, &events)
    case "GGA": readGGA(sentence, &events)
    case "GLL": readGLL(sentence, &events)
    case "GNS": readGNS(sentence, &events)
    case "GSA": readGSA(sentence)
    case "GST": readGST(sentence)
    case "VTG": readVTG(sentence)
    case "ZDA": readZDA(sentence)
    case "GSV": satellites.readGSV(sentence)
    default: break
    }
    return true
  }

  /// Appends the epoch that is still open; nothing more is coming.
  mutating func finish(into events: inout [SourceEvent]) {
    guard var epoch else { return }
    self.epoch = nil
    if let count = satellites.take() { events.append(.sky(used: count.used, seen: count.seen)) }
    epoch.tpv.time = takeTime(of: epoch)
    if let errors, errors.timeOfDay == epoch.timeOfDay {
      epoch.tpv.gst = errors.gst
      self.errors = nil
    }
    if epoch.tpv.mode < 2 {
      epoch.tpv.latitude = nil
      epoch.tpv.longitude = nil
    } else if epoch.tpv.eph == nil, let hdop, hdop > 0 {
      epoch.tpv.eph = DilutionOfPrecision.horizontalError(
        hdop, isDifferential: epoch.tpv.status == 2)
    }
    events.append(.tpv(epoch.tpv))
    events.append(.epochComplete())
  }

  // MARK: Epochs

  /// What was said for one time of day.
  private struct Epoch {
    var timeOfDay: Int64?
    /// Days since 1970, when a sentence of this epoch told the date.
    var day: Int?
    var tpv = TPV()

    /// A sentence says that there is no fix.
    mutating func lose() { tpv.mode = 1 }

    /// A sentence says that there is a fix; those that don't know of altitudes take no 3 back.
    mutating func claim(mode: Int) { tpv.mode = max(tpv.mode, mode) }

    /// A sentence says that there is a fix, and where.
    mutating func place(_ position: (latitude: Double, longitude: Double), mode: Int, status: Int) {
      tpv.latitude = position.latitude
      tpv.longitude = position.longitude
      claim(mode: mode)
      tpv.status = max(tpv.status, status)
    }
  }

  /// Goes on with the epoch of a time of day, or completes the open one and begins another.
  private mutating func begin(_ timeOfDay: Int64, _ events: inout [SourceEvent]) {
    if let open = epoch?.timeOfDay, abs(open - timeOfDay) > 10_000_000 { finish(into: &events) }
    if epoch == nil { epoch = Epoch() }
    if epoch?.timeOfDay == nil { epoch?.timeOfDay = timeOfDay }
  }

  /// The instant of an epoch, whose date is kept: by that date, else by the last one told and the hours since.
  private mutating func takeTime(of epoch: Epoch) -> Timestamp? {
    guard let timeOfDay = epoch.timeOfDay else { return nil }
    var day: Int
    if let told = epoch.day {
      day = told
    } else if let date {
      day = date.day
      // Half a day back is midnight gone by; half a day on is a step back over it.
      if timeOfDay < date.timeOfDay - halfDay { day += 1 }
      if timeOfDay > date.timeOfDay + halfDay { day -= 1 }
    } else {
      return nil
    }
    date = (day, timeOfDay)
    return Timestamp(seconds: Int64(day) * 86_400, nanoseconds: timeOfDay)
  }

  /// Forgets the date: the receiver says that it knows none.
  private mutating func forgetDate(_ events: inout [SourceEvent]) {
    if epoch?.timeOfDay != nil { finish(into: &events) }
    date = nil
  }

  // MARK: Sentences

  private mutating func readRMC(_ sentence: NMEASentence, _ events: inout [SourceEvent]) {
    let time = sentence.timeOfDay(1)
    let isDifferential = sentence.letter(2) == UInt8(ascii: "D")
    guard isDifferential || sentence.letter(2) == UInt8(ascii: "A"),
      let status = sentence.faaStatus(at: 12)
    else {
      // Receivers send made-up times with V, so it begins no epoch.
      // First, as what forgets the date completes the epoch.
      if time == epoch?.timeOfDay { epoch?.lose() }
      if time == nil || sentence[9].isEmpty { forgetDate(&events) }
      return
    }
    guard let time else { return }
    begin(time, &events)
    if let day = sentence.day(ddmmyy: 9) { epoch?.day = day }
    if let position = sentence.position(at: 3) {
      epoch?.place(
        position, mode: 2, status: sentence.count >= 12 ? status : isDifferential ? 2 : 1)
    } else {
      epoch?.lose()
    }
    if let knots = sentence.number(7) { epoch?.tpv.speed = knots * metresPerSecondPerKnot }
    if let track = sentence.number(8) { epoch?.tpv.track = track }
  }

  private mutating func readGGA(_ sentence: NMEASentence, _ events: inout [SourceEvent]) {
    guard sentence.count >= 12 else { return }
    let quality = sentence.integer(6)
    guard let timeOfDay = sentence.timeOfDay(1) else {
      if quality == 0 { forgetDate(&events) }
      epoch?.lose()
      return
    }
    begin(timeOfDay, &events)
    let count = sentence.integer(7) ?? 0
    satellites.used = count
    setDilution(sentence.number(8))
    let status = statusOfQuality[quality ?? 0] ?? 0
    guard let quality, quality > 0, let position = sentence.position(at: 2), count >= 3 else {
      // Where RMC has a position all the same, it is an estimate that says so.
      if let epoch { self.epoch?.tpv.status = max(epoch.tpv.status, status) }
      epoch?.lose()
      return
    }
    let altitude = sentence.number(9)
    epoch?.place(position, mode: altitude != nil && count >= 4 ? 3 : 2, status: status)
    setAltitude(altitude, separation: sentence.number(11))
  }

  private mutating func readGLL(_ sentence: NMEASentence, _ events: inout [SourceEvent]) {
    // In NMEA 1.5 it doesn't say whether it is valid, and may have no time.
    guard sentence.count >= 6 else { return }
    if let timeOfDay = sentence.timeOfDay(5) { begin(timeOfDay, &events) }
    if sentence.letter(6) == UInt8(ascii: "A"), let status = sentence.faaStatus(at: 7),
      let position = sentence.position(at: 1)
    {
      epoch?.place(position, mode: 2, status: sentence.count >= 7 ? status : 1)
    } else if sentence.timeOfDay(5) != nil || epoch?.tpv.hasPosition == false {
      // Without a time it may be of another epoch, as GSA.
      epoch?.lose()
    }
  }

  private mutating func readGNS(_ sentence: NMEASentence, _ events: inout [SourceEvent]) {
    guard sentence.count >= 12 else { return }
    if let timeOfDay = sentence.timeOfDay(1) { begin(timeOfDay, &events) }
    // Of several systems, the first of an epoch's has the position, and the others how many satellites each uses.
    if sentence[6].isEmpty, epoch?.tpv.hasPosition == true { return }
    guard sentence.letter(6) != nil, let status = sentence.faaStatus(at: 6) else {
      epoch?.lose()
      return
    }
    let safety = sentence.letter(13)
    guard safety != UInt8(ascii: "U"), safety != UInt8(ascii: "V") else { return }
    setDilution(sentence.number(8))
    let count = sentence.integer(7) ?? 0
    satellites.used = count
    guard let position = sentence.position(at: 2) else {
      epoch?.lose()
      return
    }
    let altitude = sentence.number(9)
    epoch?.place(position, mode: altitude != nil && count > 3 ? 3 : 2, status: status)
    setAltitude(altitude, separation: sentence.number(10))
  }

  private mutating func readGSA(_ sentence: NMEASentence) {
    guard sentence.count >= 17 else { return }
    setDilution(sentence.number(16))
    satellites.readGSA(sentence)
    switch sentence.integer(2) {
    // It has no time, and may be of the next epoch or of another receiver.
    case 1: if epoch?.tpv.hasPosition == false { epoch?.lose() }
    case 2: epoch?.claim(mode: 2)
    case 3: epoch?.claim(mode: 3)
    default: break
    }
  }

  private mutating func readGST(_ sentence: NMEASentence) {
    guard let time = sentence.timeOfDay(1) else { return }
    let gst = TPV.GST(north: sentence.number(6), east: sentence.number(7), up: sentence.number(8))
    // The next epoch may begin with it.
    if let errors, errors.timeOfDay == epoch?.timeOfDay { epoch?.tpv.gst = errors.gst }
    errors = (time, gst)
  }

  private mutating func readVTG(_ sentence: NMEASentence) {
    guard sentence.faaStatus(at: 9) != nil else { return }
    // VTG has no time and may already belong to the next epoch, so it only fills gaps.
    if epoch?.tpv.speed == nil, let knots = sentence.number(5) {
      epoch?.tpv.speed = knots * metresPerSecondPerKnot
    }
    if epoch?.tpv.track == nil, let track = sentence.number(1) { epoch?.tpv.track = track }
  }

  private mutating func readZDA(_ sentence: NMEASentence) {
    guard let timeOfDay = sentence.timeOfDay(1), let day = sentence.integer(2),
      let month = sentence.integer(3), let year = sentence.integer(4), sentence[4].count == 4,
      let told = Timestamp.dayNumber(year: year, month: month, day: day)
    else { return }
    date = (told, timeOfDay)
    if epoch?.timeOfDay == timeOfDay { epoch?.day = told }
  }

  /// Receivers say 99.99 where they know of none.
  private mutating func setDilution(_ hdop: Double?) {
    if let hdop, hdop < 99 { self.hdop = hdop }
  }

  private mutating func setAltitude(_ altitude: Double?, separation: Double?) {
    guard let altitude else { return }
    epoch?.tpv.altitudeMSL = altitude
    if let separation { epoch?.tpv.altitudeHAE = altitude + separation }
  }
}

private let metresPerSecondPerKnot = 1852.0 / 3600
private let halfDay: Int64 = 43_200_000_000_000

/// gpsd's status for GGA's qualities; 0 for all others.
private let statusOfQuality = [1: 1, 2: 2, 3: 9, 4: 3, 5: 4, 6: 5, 7: 7, 8: 8]

extension NMEASentence {
  /// The date of a field ddmmyy in days since 1970.
  fileprivate func day(ddmmyy index: Int) -> Int? {
    guard self[index].count == 6, let number = integer(index) else { return nil }
    let (day, month, year) = (number / 10_000, number / 100 % 100, number % 100)
    return Timestamp.dayNumber(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day)
  }
}
