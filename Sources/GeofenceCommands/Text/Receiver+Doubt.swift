import ControlInterface
import Geofencing
import Positioning

extension Status.Receiver {
  /// Which positions are refused at present, and when they would be believed; nil where none is, or one alone, as
  /// single ones stray.
  var doubtText: String? { doubt.flatMap { $0.positions > 1 ? $0.text : nil } }

  /// Which positions have been refused for longer than ``Status/Doubt/believedAfter`` explains, and why; nil where
  /// none have.
  var lastingDoubtText: String? { doubt.flatMap { $0.isLasting ? $0.text : nil } }
}

extension Status.Doubt {
  /// Whether nobody knows where the receiver is: the last fix is as likely wrong as what contradicts it.
  var isOfPlace: Bool { positions > 1 && (isOfJump || distance >= Self.shortestWay) }

  private var isOfJump: Bool { reason == RejectionReason.impossibleSpeed.rawValue }

  private var isOfMotion: Bool { reason == RejectedFix.contradictsMotion }

  /// From how many metres on positions whose times are refused are of another place, too.
  private static let shortestWay = 50.0

  /// Why the last fix isn't taken for where the receiver is.
  var reasonForNoLocation: String {
    "for \(Self.readable(seconds)) the receiver has reported positions \(Quantity.length(distance)) from its "
      + "last fix, and either may be wrong; try again when 'geofenced ctl status' shows no doubt any more, "
      + "or give --lat and --lon"
  }

  fileprivate var text: String {
    "for \(Self.readable(seconds)) positions \(Quantity.length(distance)) from the last fix have been "
      + "refused (\(reason))\(prospect)"
  }

  /// What becomes of them.
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

  /// Whether they would have been believed by now if they agreed with each other, also behind another jump or two.
  ///
  /// Where positions are rare, those that agree may take longer than that time, and no more than three.
  fileprivate var isLasting: Bool { positions > 3 && seconds > believedAfter + 60 }
}
