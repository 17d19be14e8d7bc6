extension Gates {
  /// An awake condition.
  struct Gate: BitwiseCopyable {
    /// It, or the circle within it in which nothing happens.
    var entry: CellIndex.Entry

    /// Where it is in space.
    let place: SpatialIndex.Place

    /// How far the edge of what isn't a circle is from the middle of ``entry``, and by how much less it is
    /// undecided beside it than beside a straight line; nil otherwise.
    var edge: (metres: Float, slack: Clearance.Slack)?

    /// Where it is muted in the surroundings of the last fix.
    var muted: Surroundings.MutedSlot?

    /// Whether nothing happens deep inside, and at the line.
    var isOpenInside = false
    var isOpenAtLine = false

    /// The chord of the radius, and by how many metres the distance to the line may be wrong.
    private let chord: Float
    private let error: Float

    /// How much farther inside than of a circle a position has to be to be believed.
    ///
    /// It is a share of the radius from which a circle's line counts as straight; 0 of a circle.
    private let caution: Float

    init(_ entry: CellIndex.Entry, at place: SpatialIndex.Place, caution: Float = 0) {
      self.entry = entry
      self.place = place
      self.caution = caution
      let chord = Chord.length(ofGeodesic: Double(entry.radius))
      self.chord = Float(chord)
      error = Surroundings.error(ofChord: chord, within: LocalFrame.reach)
    }

    var slot: UInt32 { entry.slot }

    /// Between which squared distances nothing happens.
    @inline(__always)
    func quiet(_ zone: UndecidedZone) -> (low: Float, high: Float) {
      if let edge {
        let slack = edge.slack.metres + edge.slack.share * Float(zone.straightFrom) + 2 * error
        let radius = min(Float(zone.halfWidthSurely) - edge.metres - slack, chord)
        return radius > 0 ? (-1, radius * radius) : (.infinity, .infinity)
      }
      if isOpenAtLine, chord >= Float(zone.straightFrom) {
        // A metre beside a large circle is a little more along the ground than in a straight line.
        let half = (Float(zone.halfWidthSurely) - 2 * error) * (1 - chord * chord * 1e-14)
        let (inner, outer) = (chord - half, chord + half)
        // From deep inside to the line: on the way it can't be told, or is inside still.
        if half >= 0 { return (isOpenInside ? -1 : inner * inner, outer * outer) }
      }
      // Where too little is known of the line, deep inside is still that.
      let deepest = deepest(zone)
      return deepest >= 0 ? (-1, deepest * deepest) : (.infinity, .infinity)
    }

    /// The largest distance in metres at which something is surely inside; less than 0 where there is none
    /// or that changes something.
    func deepest(_ zone: UndecidedZone) -> Float {
      let straightFrom = Float(zone.straightFrom)
      guard isOpenInside, chord >= straightFrom || caution > 0 else { return -1 }
      return chord - (error + Float(zone.halfWidth) + caution * straightFrom)
    }
  }
}
