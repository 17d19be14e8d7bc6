extension Speedometer {
  /// The velocity at a fix.
  struct Reading {
    /// Metres per second to the east and the north; zero when standing still.
    var velocity: Vector

    /// How fast that was, also where no direction is known; zero when standing still.
    var speed: Double

    /// The standard deviation of it along one axis.
    var deviation: Double

    var isStill: Bool

    /// Whether it has stood still for ``MotionModel/settlingTime``, and at most seems to have set off
    /// since.
    var isSettled: Bool

    /// How fast it went on the average of the last seconds: the length of the mean velocity, where
    /// directions are known.
    var meanSpeed: Double

    /// How fast it goes on the average, whatever the direction, where fixes come as seldom as once in ten
    /// seconds; otherwise 0.
    var usualSpeed: Double

    /// How far apart the last three fixes are, in seconds, the closer two of them.
    ///
    /// After one gap among many fixes a reflection may come, and go on with the next of them.
    var spacing: Double
  }
}
