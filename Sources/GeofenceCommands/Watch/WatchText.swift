import ControlInterface
import Geofencing

/// Texts for the columns of a screen.
enum WatchText {
  /// A speed in both m/s and km/h.
  static func speed(_ metresPerSecond: Double) -> String {
    "\(Quantity.fixed(metresPerSecond, places: 1)) m/s "
      + "(\(Quantity.fixed(metresPerSecond * 3.6, places: 0)) km/h)"
  }

  /// An age in seconds as text: `0.4 s ago`, `3 min 5 s ago`.
  static func age(_ seconds: Double) -> String {
    let seconds = max(0, min(seconds, 1e10))
    guard seconds >= 9.95 else { return "\(Quantity.fixed(seconds, places: 1)) s ago" }
    return "\(Duration.milliseconds(Int64(seconds * 1000)).readable) ago"
  }

  /// The time of day.
  static func time(_ timestamp: Timestamp, in zone: TimeZone) -> String {
    String(timestamp.readable(in: zone).suffix(8))
  }

  /// Day and time.
  static func dayAndTime(_ timestamp: Timestamp, in zone: TimeZone) -> String {
    String(timestamp.readable(in: zone).suffix(14))
  }

  /// A condition's name: the identifier, with its monitor and its owner if they differ and there is room.
  static func name(
    user: UInt32, monitor: String, identifier: String, in model: WatchModel, isShort: Bool
  ) -> String {
    if isShort { return identifier }
    let owner = OwnerText.prefix(user, to: model.user)
    return owner + (model.monitor == nil ? "\(monitor)/" : "") + identifier
  }

  /// A change that is being confirmed, long `inside 1 of 2 fixes, 0.0 of 1.0 s` or short `inside 1/2 0/1 s`, or that
  /// the accuracy is too poor; nil if there is nothing to say.
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
    return "\(side) \(fixes)/\(needed) "
      + "\(Quantity.fixed(seconds, places: 0))/\(Quantity.fixed(wanted, places: 0)) s"
  }
}
