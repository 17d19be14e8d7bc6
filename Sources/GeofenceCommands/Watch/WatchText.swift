import ControlInterface
import Geofencing

/// How things look in the columns of a screen.
enum WatchText {
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

  /// A speed as the two numbers that people think in.
  static func speed(_ metresPerSecond: Double) -> String {
    "\(fixed(metresPerSecond, places: 1)) m/s (\(fixed(metresPerSecond * 3.6, places: 0)) km/h)"
  }

  /// How long ago something was: `0.4 s ago`, `3 min 5 s ago`.
  static func age(_ seconds: Double) -> String {
    let seconds = max(0, min(seconds, 1e10))
    guard seconds >= 9.95 else { return "\(fixed(seconds, places: 1)) s ago" }
    return "\(Duration.milliseconds(Int64(seconds * 1000)).readable) ago"
  }

  /// The time of day, in UTC.
  static func time(_ timestamp: Timestamp) -> String {
    String(timestamp.rfc3339.dropFirst(11).prefix(8))
  }

  /// Day and time, in UTC.
  static func dayAndTime(_ timestamp: Timestamp) -> String {
    String(timestamp.rfc3339.dropFirst(5).prefix(5)) + " " + time(timestamp)
  }

  /// A condition's name: the identifier, with its monitor and its owner where they differ and there is
  /// room.
  static func name(
    user: UInt32, monitor: String, identifier: String, in model: WatchModel, isShort: Bool
  ) -> String {
    if isShort { return identifier }
    let owner = OwnerText.prefix(user, to: model.user)
    return owner + (model.monitor == nil ? "\(monitor)/" : "") + identifier
  }

  /// A change that is being confirmed: long `inside 1 of 2 fixes, 0.0 of 1.0 s`, short
  /// `inside 1/2 0/1 s`; or that the accuracy is too poor; nil where there is nothing to say.
  static func note(_ nearby: Nearest.Nearby, isLong: Bool) -> String? {
    guard let candidate = nearby.candidate else {
      return nearby.accuracyLimited ? "accuracy limited" : nil
    }
    let side = candidate == .satisfied ? "inside" : "outside"
    let (fixes, needed) = (nearby.fixes ?? 0, nearby.fixesNeeded ?? 0)
    let (seconds, wanted) = (nearby.seconds ?? 0, nearby.secondsNeeded ?? 0)
    if isLong {
      return
        "\(side) \(Quantity.fixes(fixes, of: needed)), \(Quantity.seconds(seconds, of: wanted))"
    }
    return "\(side) \(fixes)/\(needed) \(fixed(seconds, places: 0))/\(fixed(wanted, places: 0)) s"
  }
}
