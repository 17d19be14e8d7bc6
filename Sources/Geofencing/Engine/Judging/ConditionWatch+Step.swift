extension ConditionWatch {
  /// What of a fix is the same for all conditions; plain memory.
  struct Step: BitwiseCopyable, Sendable {
    let time: Timestamp

    /// Where the fix is taken to be, also in space.
    let estimate: PositionEstimate
    let point: GeocentricPoint

    /// How close to a line it can't tell on which side it is, by the confidence that conditions have by
    /// default.
    let zone: UndecidedZone

    /// Metres from the fix to there.
    let offset: Double

    /// The time of the fix before.
    let previous: Timestamp?

    /// Metres from the previous fix to this one at most, along the ground.
    let longestWay: Double

    /// Until when the estimates agreed with the fixes; nil where they do.
    let agreedUntil: Timestamp?

    /// Whether something is missing between the two fixes.
    let isGap: Bool

    /// Whether nothing was lost before it all the same: see ``PositionEstimate/isInRhythm``.
    var isInRhythm = false

    /// Whether the fixes before belong to another story.
    let isDiscontinuity: Bool
  }
}
