import Geofencing

/// Writes fixes as NMEA 0183 sentences of a receiver that uses GPS and GLONASS.
///
/// The order of sentences in an epoch is a common one: RMC, VTG, GGA, GSA for each constellation, now and then GSV,
/// and GST.
package struct NMEAWriter: Sendable {
  /// The talker of the sentences.
  package enum Talker: String, CaseIterable, Sendable {
    /// Only GPS.
    case gps = "GP"

    /// Only GLONASS.
    case glonass = "GL"

    /// Both together, the usual case; even then satellites are listed for each system.
    case combined = "GN"
  }

  private let talker: Talker
  private var epoch = 0

  package init(talker: Talker = .combined) {
    self.talker = talker
  }

  /// The sentences of one epoch, each with its checksum and line end.
  package mutating func sentences(for fix: Receiver.Fix) -> [UInt8] {
    defer { epoch += 1 }
    let once = text(of: fix)
    return Array((fix.isRepeated ? once + once : once).utf8)
  }

  private func text(of fix: Receiver.Fix) -> String {
    let name = talker.rawValue
    let hasFix = fix.mode >= 2
    let (time, date) = Self.clock(fix.timestamp)
    let position = hasFix ? Self.position(fix.coordinate) : ",,,"
    let knots = fixed(fix.speed * 3600 / 1852, 3)
    let course = fix.course.map { fixed($0, 2) } ?? ""
    let used = usedSatellites(fix)
    let count = used.reduce(0) { $0 + $1.numbers.count }
    var lines: [String] = []
    lines.append(
      "\(name)RMC,\(time),\(hasFix ? "A" : "V"),\(position),\(hasFix ? knots : ""),"
        + "\(hasFix ? course : ""),\(date),,,\(hasFix ? "A" : "N")")
    lines.append(
      hasFix
        ? "\(name)VTG,\(course),T,,M,\(knots),N,\(fixed(fix.speed * 3.6, 3)),K,A"
        : "\(name)VTG,,,,,,,,,N")
    let dilution = fixed(hasFix ? fix.dilution : 99.99, 2)
    lines.append(
      "\(name)GGA,\(time),\(position),\(hasFix ? 1 : 0),\(fixed(Double(count), 0, width: 2)),"
        + "\(dilution),\(hasFix ? fixed(fix.altitude, 1) : ""),M,\(hasFix ? "19.6" : ""),M,,")
    for system in used {
      let slots =
        (system.numbers.map { fixed(Double($0), 0, width: 2) } + Array(repeating: "", count: 12))
        .prefix(12).joined(separator: ",")
      lines.append(
        "\(name)GSA,A,\(fix.mode),\(slots),\(fixed(hasFix ? fix.dilution * 1.9 : 99.99, 2)),"
          + "\(dilution),\(fixed(hasFix ? fix.dilution * 1.6 : 99.99, 2))")
    }
    if epoch.isMultiple(of: 5) {
      for system in used { lines += Self.inView(system) }
    }
    if hasFix {
      let error = fixed(fix.deviation, 2)
      lines.append(
        "\(name)GST,\(time),\(fixed(fix.deviation * 1.2, 2)),\(error),\(error),0.0,\(error),"
          + "\(error),\(fixed(fix.deviation * 1.7, 2))")
    }
    return lines.map { nmea($0) + "\r\n" }.joined()
  }

  private struct System {
    var talker: Talker
    var numbers: [Int]
  }

  private func usedSatellites(_ fix: Receiver.Fix) -> [System] {
    let gps = fix.mode >= 2 ? fix.gpsSatellites : 0
    let glonass = fix.mode >= 2 ? fix.glonassSatellites : 0
    // In NMEA, GLONASS satellites have numbers from 65 on.
    let systems = [
      System(talker: .gps, numbers: (0..<gps).map { 2 + 3 * $0 }),
      System(talker: .glonass, numbers: (0..<glonass).map { 65 + 2 * $0 }),
    ]
    return talker == .combined ? systems : systems.filter { $0.talker == talker }
  }

  private static func inView(_ system: System) -> [String] {
    let numbers = system.numbers
    let count = max(1, (numbers.count + 3) / 4)
    return (0..<count).map { line in
      let listed = numbers.dropFirst(line * 4).prefix(4).map { number in
        "\(fixed(Double(number), 0, width: 2)),\(20 + number % 60),"
          + "\(fixed(Double(number * 11 % 360), 0, width: 3)),\(30 + number % 15)"
      }
      let head = "\(system.talker.rawValue)GSV,\(count),\(line + 1),"
      return ([head + fixed(Double(numbers.count), 0, width: 2)] + listed)
        .joined(separator: ",")
    }
  }

  /// The time and the date of an instant in NMEA's form.
  private static func clock(_ instant: Timestamp) -> (time: String, date: String) {
    let (day, nanoseconds) = (
      Int(instant.nanoseconds / 86_400_000_000_000), instant.nanoseconds % 86_400_000_000_000
    )
    precondition(nanoseconds >= 0, "NMEA knows no time before 1970")
    let hundredths = Int(nanoseconds / 10_000_000)
    let second = hundredths / 100
    let (year, month, dayOfMonth) = Timestamp.date(ofDay: day)
    func two(_ value: Int) -> String { fixed(Double(value), 0, width: 2) }
    return (
      two(second / 3600) + two(second / 60 % 60) + two(second % 60) + "." + two(hundredths % 100),
      two(dayOfMonth) + two(month) + two(year % 100)
    )
  }

  /// Degrees and minutes, with their hemispheres.
  private static func position(_ coordinate: Coordinate) -> String {
    func angle(_ degrees: Double, width: Int) -> String {
      // In units of 1/100,000 minute, so that 59.999999 minutes never round to 60.
      let units = Int((abs(degrees) * 6_000_000).rounded())
      return fixed(Double(units / 6_000_000), 0, width: width)
        + fixed(Double(units % 6_000_000) / 100_000, 5, width: 2)
    }
    return angle(coordinate.latitude, width: 2) + (coordinate.latitude < 0 ? ",S," : ",N,")
      + angle(coordinate.longitude, width: 3) + (coordinate.longitude < 0 ? ",W" : ",E")
  }
}

/// A number with so many decimal places, and at least so many digits before the point.
private func fixed(_ value: Double, _ decimals: Int, width: Int = 1) -> String {
  var scale = 1
  for _ in 0..<decimals { scale *= 10 }
  let units = Int((abs(value) * Double(scale)).rounded())
  var whole = String(units / scale)
  while whole.utf8.count < width { whole = "0" + whole }
  if decimals > 0 {
    var fraction = String(units % scale)
    while fraction.utf8.count < decimals { fraction = "0" + fraction }
    whole += "." + fraction
  }
  return value < 0 && units > 0 ? "-" + whole : whole
}
