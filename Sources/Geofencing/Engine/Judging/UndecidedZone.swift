/// How close to a straight line a position can't tell on which side it is.
struct UndecidedZone: BitwiseCopyable, Sendable, Equatable {
  /// The distance in metres from the line beyond which the side is surely believed.
  let halfWidth: Double

  /// The distance in metres from the line within which it surely isn't.
  let halfWidthSurely: Double

  /// The radius in metres from which a circle's line counts as straight.
  let straightFrom: Double

  /// - Parameters:
  ///   - deviations: the distance in standard deviations at which a position is just believed.
  ///   - sigma: the standard deviation of the position in metres.
  init(deviations: Double, sigma: Double) {
    halfWidth = deviations * sigma * (1 + 1e-6) + 1e-3
    halfWidthSurely = deviations * sigma * (1 - 1e-6) - 1e-3
    straightFrom = Judgement.straightInSigmas * sigma * (1 + 1e-6) + 1e-3
  }
}
