extension Speedometer {
  /// What the speeds say at a fix.
  struct Reading {
    /// Metres per second to the east and the north; zero when standing still.
    var velocity: Vector

    /// The speed, even if its direction isn't known; zero when standing still.
    var speed: Double

    /// The standard deviation of the velocity along one axis, in metres per second.
    var deviation: Double

    var isStill: Bool

    /// Whether it has stood still for ``MotionModel/settlingTime``, and hasn't surely set off since.
    var isSettled: Bool

    /// The mean speed of the last seconds: the length of the mean velocity if directions are known.
    var meanSpeed: Double

    /// The mean speed, whatever the directions, if fixes are more than ten seconds apart; otherwise 0.
    var usualSpeed: Double

    /// The shorter of the two times between the last three fixes, in seconds.
    ///
    /// A reflection may come after one gap among many fixes, and go on with the next of them.
    var spacing: Double
  }
}
