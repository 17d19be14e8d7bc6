/// How the errors of positions and speeds behave, as ``MotionFilter`` assumes it.
///
/// The numbers were found with the tuning seeds of `Benchmarks/Quality`.
package struct MotionParameters: Sendable, Hashable {
  /// How long the wandering error of a position is remembered.
  ///
  /// A minute or two, of which the longer is assumed: fixes in a row are worth the less then.
  package var errorTime = Duration.seconds(120)

  /// The share of a position's variance that is drawn anew with every fix.
  package var whiteShare = 0.1

  /// The least standard deviation that a position gets by averaging, as a share of a single fix's:
  /// how long errors last is an assumption.
  package var leastShare = 0.3

  /// The least standard deviation of a position while moving, in metres along one axis.
  package var leastSigma = 2.0

  /// Over what time it is learnt how much worse a receiver is than it says.
  package var learningTime = Duration.seconds(300)

  /// The largest factor on a receiver's accuracy that is learnt.
  package var largestPessimism = 3.0

  /// From how many times the variance that is reported on it is the speeds that are doubted: twice
  /// what the largest factor explains.
  package var doubtfulExcess = 18.0

  /// The speed in metres per second from which it isn't one: nothing near the ground is as fast.
  package var largestSpeed = 10_000.0

  /// The least standard deviation of a velocity, in metres per second along one axis.
  package var speedDeviation = 0.1

  /// What comes on top of it, as a share of the speed.
  package var speedDeviationShare = 0.03

  /// What comes on top of it, as a share of the change since the last fix: receivers are late.
  package var speedChangeShare = 0.25

  /// The largest acceleration between two fixes to be expected, in metres per second squared.
  package var acceleration = 1.0

  /// The standard deviation of the velocity while standing still.
  package var stillDeviation = 0.03

  /// The mean velocity, in metres per second, below which something stands still in any case.
  package var stillSpeed = 0.06

  /// The mean velocity below which it does, in standard deviations that the noise of single velocities
  /// leaves in the mean: a quarter of it at one a second, and more where they are rarer.
  package var stillDeviations = 3.6

  /// The mean speed, in metres per second, below which something stands still where the direction of
  /// travel isn't reported: speeds without it don't cancel out.
  package var stillSpeedWithoutCourse = 0.35

  /// Over how many metres, and not less than a fix's standard deviation, positions show a direction of
  /// travel where the receiver gives none.
  package var directionDistance = 12.0

  /// The mean velocity, in metres per second, from which something that stood still moves while its
  /// positions jump: reflections make speeds worse too.
  package var disturbedSpeed = 1.0

  /// How long something has to stand still before it takes more to believe that it crossed a line: who
  /// has just arrived did cross one.
  package var settlingTime = Duration.seconds(60)

  /// How long it has to move until that has ended: now and then noise looks like a step.
  package var settingOffTime = Duration.seconds(3)

  /// How many standard deviations a position may lie from where the speeds lead.
  package var jumpSigmas = 4.0

  /// How many of a single fix's standard deviations it may lie from there in any case: receivers step
  /// when satellites come and go.
  package var jumpShare = 2.5

  /// How many metres it may lie from there in any case.
  package var jumpDistance = 15.0

  /// How far apart fixes are, one after the other, that don't share a reflection.
  package var reflectionTime = Duration.seconds(30)

  /// How far apart they are that may have a whole trip between them, with a rest at both ends.
  package var tripTime = Duration.seconds(75)

  /// The speed in metres per second from which a single velocity is more than noise.
  package var travelSpeed = 3.0

  package init() {}
}
