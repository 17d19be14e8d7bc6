/// How close to a straight line a position can't be told to be on either side of it.
struct UndecidedZone: BitwiseCopyable, Sendable, Equatable {
  /// Metres to either side beyond which it can surely be told.
  let halfWidth: Double

  /// Metres to either side within which it surely can't.
  let halfWidthSurely: Double

  /// The radius in metres from which a circle's line counts as straight.
  let straightFrom: Double

  /// - Parameters:
  ///   - deviations: the distance in standard deviations at which a position is just believed.
  init(deviations: Double, sigma: Double) {
    halfWidth = deviations * sigma * (1 + 1e-6) + 1e-3
    halfWidthSurely = deviations * sigma * (1 - 1e-6) - 1e-3
    straightFrom = Judgement.straightInSigmas * sigma * (1 + 1e-6) + 1e-3
  }
}
