import ControlInterface

extension Status.Receiver {
  /// How far its clock is off, and what that means; nil if it isn't known to be off.
  var clockText: String? {
    guard let clockOffset, abs(clockOffset) >= Quantity.clockTolerance else { return nil }
    return "the receiver's clock is \(Quantity.clockOffset(clockOffset)); events bear its time"
  }

  /// From how many seconds of difference on one of the two clocks is probably wrong, and not only fast or slow.
  static let wrongClockOffset = 86_400.0

  /// Whether its clock, or this machine's, is probably wrong.
  var isClockWrong: Bool { clockOffset.map { abs($0) >= Self.wrongClockOffset } ?? false }
}
