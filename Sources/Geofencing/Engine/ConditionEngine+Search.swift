extension ConditionEngine {
  /// What of a fix says which conditions it may change.
  struct Search {
    let zone: UndecidedZone

    /// Metres from the fix to where it is taken to be at most.
    let offset: Double

    /// Metres from the last fix at most.
    let way: Double

    /// Where the fix, and the one before it, are taken to be in the surroundings' frame.
    var here: LocalFrame.Offset
    var there: LocalFrame.Offset?

    /// How near in metres a line has to be to matter: nearer than the fix is unsure, than it lies beside
    /// where it is taken to be, and than the way from the last one.
    let reach: Double

    /// The same of what is more than a circle, as those that ask for other confidences need it.
    var largestReach: Double

    /// The standard deviations in metres of the fix, and of the less sure of the two; only where there is
    /// more than circles.
    var sigma = 0.0
    var largestSigma = 0.0
  }
}
