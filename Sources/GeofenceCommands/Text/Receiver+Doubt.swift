import ControlInterface
import Geofencing
import Positioning

extension Status.Receiver {
  /// Which positions are refused at present, and when they would be believed; nil if there are less than two, as single
  /// positions often stray.
  var doubtText: String? { doubt.flatMap { $0.positions > 1 ? $0.text : nil } }

  /// Which positions have been refused for longer than ``Status/Doubt/believedAfter`` explains, and why; nil if none
  /// have.
  var lastingDoubtText: String? { doubt.flatMap { $0.isLasting ? $0.text : nil } }
}

extension Status.Doubt {
  /// Whether the receiver's place is in doubt: the last fix may as well be wrong as the positions that contradict it.
  var isOfPlace: Bool { positions > 1 && (isOfJump || distance >= Self.shortestWay) }

  private var isOfJump: Bool { reason == RejectionReason.impossibleSpeed.rawValue }

  private var isOfMotion: Bool { reason == RejectedFix.contradictsMotion }

  /// Positions that are refused for their times are of another place if they are at least so many metres away.
  private static let shortestWay = 50.0

  /// Why the last fix isn't used as the receiver's location.
  var reasonForNoLocation: String {
    "for \(Self.readable(seconds)) the receiver has reported positions \(Quantity.length(distance)) from its "
      + "last fix, and either may be wrong; try again when 'geofenced ctl status' shows no doubt any more, "
      + "or give --lat and --lon"
  }

  fileprivate var text: String {
    "for \(Self.readable(seconds)) positions \(Quantity.length(distance)) from the last fix have been "
      + "refused (\(reason))\(prospect)"
  }

  /// When they will be believed, or why they aren't.
  private var prospect: String {
    if isLasting {
      return isOfMotion
        ? "; they contradict each other"
        : "; they contradict each other, or are faster than MaximumSpeed="
    }
    if believedAfter <= 1 { return "; where three agree, they are believed" }
    let key = isOfJump || isOfMotion ? " (JumpSec=)" : ""
    let time = (isOfMotion ? "at most " : "") + Self.readable(believedAfter)
    return "; where they agree, they are believed after \(time)\(key)"
  }

  private static func readable(_ seconds: Double) -> String {
    Duration.seconds(Int64(min(max(seconds, 0), 1e10))).readable
  }

  /// Whether they would have been believed by now if they agreed with each other, even after another jump or two.
  ///
  /// If positions are rare, it may take longer than that time, but never more than three that agree.
  fileprivate var isLasting: Bool { positions > 3 && seconds > believedAfter + 60 }
}
