/// The length of a velocity with noise of variance 1 along both axes.
enum SpeedNoise {
  /// The mean length if there is nothing but noise: that of a Rayleigh distribution.
  static let mean = (Double.pi / 2).squareRoot()

  /// The variance of the length if there is nothing but noise.
  static let variance = 2 - Double.pi / 2

  /// The variance of the length if it has this mean.
  ///
  /// For something that moves it grows up to 1: with the variance at rest, the noise of something that moves would
  /// seem so large that it looks still. It is a straight line through what S. O. Rice found ("Mathematical analysis of
  /// random noise", 1945), to a tenth; at rest the mean itself is off by a sixth.
  static func variance(whereMeanIs mean: Double) -> Double {
    let share = min(max((mean - 1.4) / 1.05, 0), 1)
    return variance + (1 - variance) * share
  }
}
