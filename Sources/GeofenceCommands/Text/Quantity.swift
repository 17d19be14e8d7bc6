import Geofencing

/// Numbers as text in sentences, with no more digits than are of use.
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
    // By the sign and not by comparing: a little inside may be rounded to −0.
    "\(length(abs(metres))) \(metres.sign == .minus ? "inside" : "outside")"
  }

  /// A length of any size: `12 m`, `13.4 km`.
  static func length(_ metres: Double) -> String {
    guard metres >= 10_000 else { return self.metres(metres) }
    return "\(fixed(metres / 1000, places: metres < 100_000 ? 1 : 0)) km"
  }

  /// An uncertainty, which may be very small: `4.2 m`, `2 cm`.
  static func uncertainty(_ metres: Double) -> String {
    // A positive length is never shown as 0 m.
    guard metres > 0, metres < 0.1 else { return self.metres(metres) }
    return "\(short(metres * 100, places: 1)) cm"
  }

  /// A reported accuracy: `±4.2 m`, or that there is none.
  static func accuracy(_ metres: Double?) -> String {
    metres.map { "±\(uncertainty($0))" } ?? "-"
  }

  /// A computed probability: `61 %`, but never 0 or 100 %, as nothing is that sure.
  static func probability(_ probability: Double) -> String {
    switch probability {
    case ..<0.0005: "<0.1 %"
    case 0.9995...: ">99.9 %"
    default: "\(short(probability * 100, places: 1)) %"
    }
  }

  /// A computed probability, with so many digits that it doesn't look as if it had reached a confidence that it hasn't.
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

  /// A probability from the settings: `98 %`, `99.99 %`.
  static func threshold(_ probability: Double) -> String {
    "\(short(probability * 100, places: 2)) %"
  }

  /// The progress of a change in fixes: `2 of 3 fixes`, or `30 fixes, where 2 are enough`.
  static func fixes(_ count: Int, of needed: Int) -> String {
    if count > needed {
      return "\(count) fixes, where \(needed) \(needed == 1 ? "is" : "are") enough"
    }
    return "\(count) of \(needed) \(needed == 1 ? "fix" : "fixes")"
  }

  /// A number of fixes and their time: `3 fixes over 2 s`, `1 fix`.
  static func fixes(_ count: Int, over seconds: Double) -> String {
    let span = seconds > 0 ? " over \(short(seconds, places: 3)) s" : ""
    return self.count(count, "fix", "fixes") + span
  }

  /// The progress of a change in time: `2.0 of 3.0 s`, or `60.0 s, where 1.0 s is enough`.
  static func seconds(_ seconds: Double, of needed: Double) -> String {
    let (done, wanted) = (fixed(abs(seconds), places: 1), fixed(abs(needed), places: 1))
    return seconds > needed && done != wanted
      ? "\(done) s, where \(wanted) s is enough" : "\(done) of \(wanted) s"
  }

  /// A difference in time with its sign: `+2.5 s`.
  static func shift(_ seconds: Double) -> String {
    let text = short(abs(seconds), places: 3)
    return (seconds < 0 && text != "0" ? "-" : "+") + "\(text) s"
  }

  /// From how many seconds on the receiver's clock is said to be off: a fix may come a few seconds late.
  static let clockTolerance = 10.0

  /// How far a clock is off: `3 h ahead`.
  ///
  /// - Parameter seconds: by how many it is ahead; negative if it is behind.
  static func clockOffset(_ seconds: Double) -> String {
    let time = Duration.seconds(Int64(min(abs(seconds), 1e10)))
    return "\(time.readable) \(seconds > 0 ? "ahead" : "behind")"
  }

  /// A number with exactly so many digits after the point, so that columns line up.
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

  /// A number with at most so many digits after the point, without trailing zeros.
  private static func short(_ value: Double, places: Int) -> String {
    min(max(value, -1e12), 1e12).rounded(toPlaces: places).shortest
  }
}
