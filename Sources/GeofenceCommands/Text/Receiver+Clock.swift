import ControlInterface

extension Status.Receiver {
  /// How far its clock is off, and what that means; nil where it isn't known to be off.
  var clockText: String? {
    guard let clockOffset, abs(clockOffset) >= Quantity.clockTolerance else { return nil }
    return "the receiver's clock is \(Quantity.clockOffset(clockOffset)); events bear its time"
  }
}
