extension ConditionWatch {
  /// A fix as all conditions judge it; plain memory.
  struct Step: BitwiseCopyable, Sendable {
    let time: Timestamp

    /// Where the fix is taken to be, as coordinates and in space.
    let estimate: PositionEstimate
    let point: GeocentricPoint

    /// How close to a line the fix can't tell on which side it is, for the default confidence.
    let zone: UndecidedZone

    /// Metres from the fix itself to the estimate.
    let offset: Double

    /// The time of the fix before; nil if there was none.
    let previous: Timestamp?

    /// An upper bound of the metres from the previous fix to this one, along the ground.
    let longestWay: Double

    /// Until when the estimates agreed with the fixes; nil where they do.
    let agreedUntil: Timestamp?

    /// Whether there is a gap between the two fixes.
    let isGap: Bool

    /// Whether the gap is only the receiver's rhythm, so that nothing was lost: see ``PositionEstimate/isInRhythm``.
    var isInRhythm = false

    /// Whether the fixes before belong to another track.
    let isDiscontinuity: Bool
  }
}
