/// What ``MotionFilter`` assumes about the errors of positions and speeds.
///
/// The numbers were found with the tuning seeds of `Benchmarks/Quality`.
enum MotionModel {
  /// After how many seconds the wandering error of a position has mostly changed.
  ///
  /// It is a minute or two. The longer is assumed, as fixes in a row are then worth less.
  static let errorTime = 120.0

  /// The share of that error that stays when the accuracy becomes much better.
  static let keptShare = 0.5

  /// For how long fixes have to bear out that something stands at a place before a more accurate fix elsewhere is
  /// taken for their old error rather than for another place.
  static let standingTime = Duration.seconds(600)

  /// The share of a position's variance that is new with every fix.
  static let whiteShare = 0.1

  /// The least standard deviation that a position gets by averaging, as a share of a single fix's:
  /// how long errors last is an assumption.
  static let leastShare = 0.3

  /// The least standard deviation of a position while moving, in metres along one axis.
  static let leastSigma = 2.0

  /// Over how many seconds it is learned by how much a receiver is worse than it says.
  static let learningTime = 300.0

  /// The largest such factor.
  static let largestPessimism = 3.0

  /// From how many times the reported variance on the speeds are doubted: twice what the largest factor explains.
  static let doubtfulExcess = 18.0

  /// In metres per second: anything faster is no speed, as nothing near the ground is as fast.
  static let largestSpeed = 10_000.0

  /// The least standard deviation of a velocity, in metres per second along one axis.
  static let speedDeviation = 0.1

  /// What is added to that, as a share of the speed.
  static let speedDeviationShare = 0.03

  /// What is added to that, as a share of the change since the last fix: receivers tell speeds late.
  static let speedChangeShare = 0.25

  /// The largest acceleration that is expected between two fixes, in metres per second squared.
  static let acceleration = 1.0

  /// The standard deviation of the velocity while standing still, in metres per second.
  static let stillDeviation = 0.03

  /// The same if the receiver tells no course.
  ///
  /// An anchor drags more slowly than a receiver tells a course, and than waves make the speed look. So if slow
  /// creeping matters the position is taken nearly from the fixes alone.
  static func deviationWithoutCourse(_ parameters: DecisionParameters) -> Double {
    parameters.creepingSpeed < 0.2 ? 1 : stillDeviation
  }

  /// The mean velocity, in metres per second, below which something stands still in any case.
  static let stillSpeed = 0.06

  /// The mean velocity below which something stands still, in standard deviations of the noise that is left in the
  /// mean.
  ///
  /// That noise is a quarter of a single velocity's at one a second, and more if velocities come seldom.
  static let stillDeviations = 3.6

  /// The speed in metres per second from which somebody walks: at rest two velocities in a row seldom are as fast.
  static let walkingSpeed = 0.9

  /// Up to this mean speed in metres per second, in whatever directions, something may stand still in any case.
  static let turningSpeed = 0.5

  /// Over how many metres positions show a direction of travel if the receiver tells none.
  ///
  /// It is never less than a fix's standard deviation.
  static func directionDistance(_ parameters: DecisionParameters) -> Double {
    min(12, 4 * parameters.minimumSigma)
  }

  /// The mean velocity, in metres per second, from which something that stood still moves while its positions jump.
  ///
  /// Reflections make speeds worse, too.
  static let disturbedSpeed = 1.0

  /// How long something has to stand still before it takes more to believe that it crossed a line.
  ///
  /// Somebody who has just arrived did cross one.
  static let settlingTime = Duration.seconds(60)

  /// How long it has to move to end that: now and then noise looks like a step.
  static let settingOffTime = Duration.seconds(3)

  /// How far the estimate lies from a fix at most, most of the time, in standard deviations of both.
  static let likelySigmas = 2.5

  /// How far it lies from a fix at most, in standard deviations that the receiver reports, before speeds have begun to
  /// lead elsewhere.
  static let agreeingSigmas = 1.5

  /// How far a fix may lie from where it was expected, in standard deviations.
  static let jumpSigmas = 4.0

  /// How far it may lie from there in any case, in standard deviations of the fix alone.
  ///
  /// Receivers' positions step when satellites come and go.
  static let jumpShare = 2.5

  /// For how long the estimate may lie beside the fixes if only the positions tell a direction.
  static let besideTime = Duration.seconds(60)

  /// How many metres a fix may lie from where it was expected in any case.
  ///
  /// It is less for receivers that the settings say are accurate, at low speed: speeds are late, too.
  ///
  /// - Parameter seconds: for how long it has moved at that speed, if that may be longer than speeds are late.
  static func jumpDistance(
    atSpeed speed: Double, after seconds: Double = 0, _ parameters: DecisionParameters
  ) -> Double {
    min(largestJumpDistance, 5 * parameters.minimumSigma + speed * max(seconds, 2))
  }

  static let largestJumpDistance = 15.0

  /// For how long fixes have to lie elsewhere at least, if few fixes bear out the place that they contradict.
  static let leastJumpTime = Duration.seconds(3)

  /// How many times as long as those fixes have lasted the ones elsewhere have to last.
  static let jumpTimes = 4

  /// From how many seconds apart on fixes come seldom: their errors change meanwhile, and velocities say little of
  /// what was between.
  static let seldom = 10.0

  /// How many fixes have to agree on another place at least.
  static let leastJumpFixes = 3

  /// From which time apart on two fixes in a row don't share a reflection.
  static let reflectionTime = Duration.seconds(30)

  /// From how many seconds apart on fixes aren't subject to `JumpSec=`.
  ///
  /// It is shortened as `asInterval` does, as a fix may come some milliseconds early.
  static func apartTime(_ parameters: DecisionParameters) -> Double {
    max(reflectionTime, parameters.jumpTime).inSeconds * 0.98
  }

  /// How long a reflection lasts at most for the track before it to be gone back to.
  static func longestReflection(_ parameters: DecisionParameters) -> Duration {
    parameters.jumpTime + .seconds(120)
  }

  /// From how many seconds apart on something may have gone from one stop to the next between two fixes.
  ///
  /// It is seven, but a fix may come some milliseconds early.
  static let hopSeconds = 6.9

  /// If something stood still before a gap among many fixes, for how many seconds it has been moving at most when slow
  /// speeds follow.
  static let wakingTime = 10.0

  /// How many metres it may have crept before that, as a standard deviation.
  static let mostCrept = 5.0

  /// Over how many metres at ``travelSpeed`` fixes and speeds have to agree after standing still, so that it is no
  /// reflection.
  static let provingDistance = 30.0

  /// The same at ``walkingSpeed``, for a place behind a silence that isn't the one before it.
  static let wakingDistance = 10.0

  /// The largest cosine of the angle between that way and the direction back.
  static let largestReturn = 0.7

  /// How long a receiver takes at most to find its position after a silence.
  ///
  /// `JumpSec=` may be longer where reflections last.
  static func wakingPatience(_ parameters: DecisionParameters) -> Duration {
    min(parameters.jumpTime, reflectionTime)
  }

  /// For how long a receiver that starts anew may creep back to its true position, however accurate it says it is.
  static let findingTime = Duration.seconds(60)

  /// How many seconds apart fixes are at most if something is taken to have just set off.
  static let wakingSpacing = Duration.seconds(5).asInterval.inSeconds

  /// The speed in metres per second from which a single velocity is more than noise.
  static let travelSpeed = 3.0
}
