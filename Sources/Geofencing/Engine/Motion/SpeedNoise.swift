/// What the length of a velocity is that has noise of variance one in both axes.
enum SpeedNoise {
  /// The mean where it is nothing else, as Rayleigh found it.
  static let mean = (Double.pi / 2).squareRoot()

  /// The variance there.
  static let variance = 2 - Double.pi / 2

  /// The variance whatever it is without the noise, where that makes its mean so long.
  ///
  /// That of what moves is up to one: taken for noise at rest, its own would make it look still. A straight line
  /// through what S. O. Rice found ("Mathematical analysis of random noise", 1945), to a tenth; at rest the mean
  /// itself is off by a sixth.
  static func variance(whereMeanIs mean: Double) -> Double {
    let share = min(max((mean - 1.4) / 1.05, 0), 1)
    return variance + (1 - variance) * share
  }
}
