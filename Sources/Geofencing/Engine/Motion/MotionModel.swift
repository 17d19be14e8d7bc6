/// How the errors of positions and speeds behave, as ``MotionFilter`` assumes it.
///
/// The numbers were found with the tuning seeds of `Benchmarks/Quality`.
enum MotionModel {
  /// How many seconds the wandering error of a position is remembered.
  ///
  /// A minute or two, of which the longer is assumed: fixes in a row are worth the less then.
  static let errorTime = 120.0

  /// The share of it that is still the same error where the accuracy becomes much better.
  static let keptShare = 0.5

  /// For how long fixes have borne it out that something stands there, so that it is rather their error that stays than
  /// the place that is wrong, where a receiver calls itself surer.
  static let standingTime = Duration.seconds(600)

  /// The share of a position's variance that is drawn anew with every fix.
  static let whiteShare = 0.1

  /// The least standard deviation that a position gets by averaging, as a share of a single fix's:
  /// how long errors last is an assumption.
  static let leastShare = 0.3

  /// The least standard deviation of a position while moving, in metres along one axis.
  static let leastSigma = 2.0

  /// Over how many seconds it is learnt how much worse a receiver is than it says.
  static let learningTime = 300.0

  /// The largest factor on a receiver's accuracy that is learnt.
  static let largestPessimism = 3.0

  /// From how many times the variance that is reported on it is the speeds that are doubted: twice
  /// what the largest factor explains.
  static let doubtfulExcess = 18.0

  /// The speed in metres per second from which it isn't one: nothing near the ground is as fast.
  static let largestSpeed = 10_000.0

  /// The least standard deviation of a velocity, in metres per second along one axis.
  static let speedDeviation = 0.1

  /// What comes on top of it, as a share of the speed.
  static let speedDeviationShare = 0.03

  /// What comes on top of it, as a share of the change since the last fix: receivers are late.
  static let speedChangeShare = 0.25

  /// The largest acceleration between two fixes to be expected, in metres per second squared.
  static let acceleration = 1.0

  /// The standard deviation of the velocity while standing still.
  static let stillDeviation = 0.03

  /// The same where no course is told.
  ///
  /// An anchor drags at less than a receiver tells a course from, and at less than waves make of the speed. What may
  /// creep like that is where its positions are.
  static func deviationWithoutCourse(_ parameters: DecisionParameters) -> Double {
    parameters.creepingSpeed < 0.2 ? 1 : stillDeviation
  }

  /// The mean velocity, in metres per second, below which something stands still in any case.
  static let stillSpeed = 0.06

  /// The mean velocity below which it does, in standard deviations that the noise of single velocities
  /// leaves in the mean: a quarter of it at one a second, and more where they are rarer.
  static let stillDeviations = 3.6

  /// The speed in metres per second from which somebody walks; of what stands still two in a row seldom are so great.
  static let walkingSpeed = 0.9

  /// The mean speed in metres per second, whatever the direction, up to which something may stand still in any case.
  static let turningSpeed = 0.5

  /// Over how many metres, and not less than a fix's standard deviation, positions show a direction of
  /// travel where the receiver gives none.
  static func directionDistance(_ parameters: DecisionParameters) -> Double {
    min(12, 4 * parameters.minimumSigma)
  }

  /// The mean velocity, in metres per second, from which something that stood still moves while its
  /// positions jump: reflections make speeds worse too.
  static let disturbedSpeed = 1.0

  /// How long something has to stand still before it takes more to believe that it crossed a line: who
  /// has just arrived did cross one.
  static let settlingTime = Duration.seconds(60)

  /// How long it has to move until that has ended: now and then noise looks like a step.
  static let settingOffTime = Duration.seconds(3)

  /// How many standard deviations of both what the speeds make of the fixes lies from a fix at most, most of
  /// the time.
  static let likelySigmas = 2.5

  /// How many of the fix alone, as it is reported, it lies from it at most where nothing has begun to lead
  /// elsewhere.
  static let agreeingSigmas = 1.5

  /// How many standard deviations a position may lie from where the speeds lead.
  static let jumpSigmas = 4.0

  /// How many of a single fix's standard deviations it may lie from there in any case: receivers step
  /// when satellites come and go.
  static let jumpShare = 2.5

  /// For how long what the speeds make of the fixes may lie beside them, where only the positions tell a direction.
  static let besideTime = Duration.seconds(60)

  /// How many metres it may lie from there in any case; fewer where somebody has said that receivers are that
  /// good, and it doesn't move: speeds are late, too.
  ///
  /// - Parameter seconds: how long it has gone by that speed, where that may be longer than they are late.
  static func jumpDistance(
    atSpeed speed: Double, after seconds: Double = 0, _ parameters: DecisionParameters
  ) -> Double {
    min(largestJumpDistance, 5 * parameters.minimumSigma + speed * max(seconds, 2))
  }

  static let largestJumpDistance = 15.0

  /// For how long fixes have to lie elsewhere at least, where few bear out what they contradict.
  static let leastJumpTime = Duration.seconds(3)

  /// For how many times as long as those they have to.
  static let jumpTimes = 4

  /// From how many seconds between fixes on these come seldom: errors change meanwhile, and velocities say little of
  /// what was between them.
  static let seldom = 10.0

  /// How many fixes have to agree at least that lie elsewhere than the ones before.
  static let leastJumpFixes = 3

  /// How far apart fixes are, one after the other, that don't share a reflection.
  static let reflectionTime = Duration.seconds(30)

  /// How many seconds apart fixes are of which `JumpSec=` counts for none; less by what `asInterval` allows, as one
  /// may come some milliseconds early.
  static func apartTime(_ parameters: DecisionParameters) -> Double {
    max(reflectionTime, parameters.jumpTime).inSeconds * 0.98
  }

  /// How long a reflection lasts at most behind which what it contradicted is gone back to.
  static func longestReflection(_ parameters: DecisionParameters) -> Duration {
    parameters.jumpTime + .seconds(120)
  }

  /// From how many seconds between fixes on something may have gone from one stop to the next unseen: seven, of which
  /// one may come some milliseconds early.
  static let hopSeconds = 6.9

  /// For how many seconds something that stood still has been moving at most, where many fixes with slow speeds come
  /// after a gap.
  static let wakingTime = 10.0

  /// How many metres it may have crept before that, as a standard deviation.
  static let mostCrept = 5.0

  /// Over how many metres at ``travelSpeed`` fixes and speeds go along with each other that are no reflection, if it
  /// stood still before.
  static let provingDistance = 30.0

  /// Over how many metres at ``walkingSpeed`` they do behind a silence, where it is elsewhere than before.
  static let wakingDistance = 10.0

  /// The largest cosine of the angle between that way and the one to where it was.
  static let largestReturn = 0.7

  /// How long a receiver takes at most to find itself behind a silence: `JumpSec=` may be longer, where
  /// reflections last.
  static func wakingPatience(_ parameters: DecisionParameters) -> Duration {
    min(parameters.jumpTime, reflectionTime)
  }

  /// For how long a receiver that starts anew may come back to where it is, sure of itself all along.
  static let findingTime = Duration.seconds(60)

  /// How many seconds apart fixes are at most of something that wakes.
  static let wakingSpacing = Duration.seconds(5).asInterval.inSeconds

  /// The speed in metres per second from which a single velocity is more than noise.
  static let travelSpeed = 3.0
}
