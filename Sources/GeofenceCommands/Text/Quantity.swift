import Geofencing

/// Numbers as they stand in sentences: no more digits than a person reads.
enum Quantity {
  /// A number of things: `1 event`, `2 events`.
  static func count(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  /// A length: `4.2 m`, `138 m`.
  static func metres(_ metres: Double) -> String {
    "\(short(metres, places: abs(metres) < 9.95 ? 1 : 0)) m"
  }

  /// A signed distance to an edge: `12 m outside`, `13.4 km inside`.
  static func distance(_ metres: Double) -> String {
    // Rounded, what is less than half a metre inside is −0.
    "\(length(abs(metres))) \(metres.sign == .minus ? "inside" : "outside")"
  }

  /// A length of any size: `12 m`, `13.4 km`.
  static func length(_ metres: Double) -> String {
    guard metres >= 10_000 else { return self.metres(metres) }
    return "\(fixed(metres / 1000, places: metres < 100_000 ? 1 : 0)) km"
  }

  /// How far off something may be, a length that may be very small: `4.2 m`, `2 cm`.
  static func uncertainty(_ metres: Double) -> String {
    // Only nothing is 0 m.
    guard metres > 0, metres < 0.1 else { return self.metres(metres) }
    return "\(short(metres * 100, places: 1)) cm"
  }

  /// A reported accuracy: `±4.2 m`, or that there was none.
  static func accuracy(_ metres: Double?) -> String {
    metres.map { "±\(uncertainty($0))" } ?? "-"
  }

  /// A probability that was computed: `61 %`, and never 0 or 100 as nothing is that sure.
  static func probability(_ probability: Double) -> String {
    switch probability {
    case ..<0.0005: "<0.1 %"
    case 0.9995...: ">99.9 %"
    default: "\(short(probability * 100, places: 1)) %"
    }
  }

  /// A probability that was computed, so that it doesn't look like as much, or as little, as is asked for, at rest or
  /// not, where it isn't.
  static func probability(_ probability: Double, below confidences: Double?...) -> String {
    let text = self.probability(probability)
    for confidence in confidences.compactMap(\.self) {
      if probability < confidence, text == threshold(confidence) {
        return threshold((probability * 10_000).rounded(.down) / 10_000)
      }
      if probability > 1 - confidence, text == threshold(1 - confidence) {
        return threshold((probability * 10_000).rounded(.up) / 10_000)
      }
    }
    return text
  }

  /// A probability that somebody chose: `98 %`, `99.99 %`.
  static func threshold(_ probability: Double) -> String {
    "\(short(probability * 100, places: 2)) %"
  }

  /// How far something is: `2 of 3 fixes`, or `30 fixes, where 2 are enough`.
  static func fixes(_ count: Int, of needed: Int) -> String {
    if count > needed {
      return "\(count) fixes, where \(needed) \(needed == 1 ? "is" : "are") enough"
    }
    return "\(count) of \(needed) \(needed == 1 ? "fix" : "fixes")"
  }

  /// How many fixes over what time: `3 fixes over 2 s`, `1 fix`.
  static func fixes(_ count: Int, over seconds: Double) -> String {
    let span = seconds > 0 ? " over \(short(seconds, places: 3)) s" : ""
    return self.count(count, "fix", "fixes") + span
  }

  /// How far a time is: `2.0 of 3.0 s`, or `60.0 s, where 1.0 s is enough`.
  static func seconds(_ seconds: Double, of needed: Double) -> String {
    let (done, wanted) = (fixed(abs(seconds), places: 1), fixed(abs(needed), places: 1))
    return seconds > needed && done != wanted
      ? "\(done) s, where \(wanted) s is enough" : "\(done) of \(wanted) s"
  }

  /// A difference in time, with its sign and without needless digits: `+2.5 s`.
  static func shift(_ seconds: Double) -> String {
    let text = short(abs(seconds), places: 3)
    return (seconds < 0 && text != "0" ? "-" : "+") + "\(text) s"
  }

  /// From how many seconds on it is worth a word that the receiver's clock is off: a fix may come some late.
  static let clockTolerance = 10.0

  /// How far a clock is off: `3 h ahead`.
  ///
  /// - Parameter seconds: by how many it is ahead.
  static func clockOffset(_ seconds: Double) -> String {
    let time = Duration.seconds(Int64(min(abs(seconds), 1e10)))
    return "\(time.readable) \(seconds > 0 ? "ahead" : "behind")"
  }

  /// A number with always so many digits after the point, so that columns stand still.
  static func fixed(_ value: Double, places: Int) -> String {
    guard value.isFinite else { return "-" }
    let scale = [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000][min(max(places, 0), 6)]
    let units = Int64((min(abs(value), 1e10) * scale).rounded())
    let sign = value < 0 && units > 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(units)" }
    let (whole, part) = units.quotientAndRemainder(dividingBy: Int64(scale))
    let digits = String(part)
    return "\(sign)\(whole)." + String(repeating: "0", count: places - digits.count) + digits
  }

  /// A number with at most so many digits after the point.
  private static func short(_ value: Double, places: Int) -> String {
    min(max(value, -1e12), 1e12).rounded(toPlaces: places).shortest
  }
}
