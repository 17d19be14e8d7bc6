extension Gates {
  /// An awake condition.
  struct Gate: BitwiseCopyable {
    /// The condition's circle, or a circle within its shape around which nothing happens.
    var entry: CellIndex.Entry

    /// Where the condition is in space.
    let place: SpatialIndex.Place

    /// For a shape that isn't a circle, at its edge: how far the edge is from the middle of ``entry``, in metres, and
    /// how much narrower the undecided zone beside it is than beside a straight line; nil otherwise.
    var edge: (metres: Float, slack: Clearance.Slack)?

    /// Where it is muted in the surroundings of the last fix; nil if it isn't.
    var muted: Surroundings.MutedSlot?

    /// Whether fixes change nothing deep inside, and at the line.
    var isOpenInside = false
    var isOpenAtLine = false

    /// The straight distance of the radius, and the error of the distance to the line, both in metres.
    private let chord: Float
    private let error: Float

    /// How much deeper inside than in a circle a position has to be to be believed.
    ///
    /// It is a share of the radius from which a circle's edge counts as straight; 0 for a circle.
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

    /// The squared distances from the middle between which nothing happens, in square metres.
    @inline(__always)
    func quiet(_ zone: UndecidedZone) -> (low: Float, high: Float) {
      if let edge {
        let slack = edge.slack.metres + edge.slack.share * Float(zone.straightFrom) + 2 * error
        let radius = min(Float(zone.halfWidthSurely) - edge.metres - slack, chord)
        return radius > 0 ? (-1, radius * radius) : (.infinity, .infinity)
      }
      if isOpenAtLine, chord >= Float(zone.straightFrom) {
        // Beside a large circle a metre along the ground is a little more than in a straight line.
        let half = (Float(zone.halfWidthSurely) - 2 * error) * (1 - chord * chord * 1e-14)
        let (inner, outer) = (chord - half, chord + half)
        // Nothing happens all the way from deep inside to the line: positions there are inside, or can't tell.
        if half >= 0 { return (isOpenInside ? -1 : inner * inner, outer * outer) }
      }
      // If the accuracy leaves no such zone at the line, nothing happens deep inside.
      let deepest = deepest(zone)
      return deepest >= 0 ? (-1, deepest * deepest) : (.infinity, .infinity)
    }

    /// The largest distance from the middle, in metres, at which a position is surely inside and changes nothing.
    ///
    /// - Returns: less than 0 if there is no such position.
    func deepest(_ zone: UndecidedZone) -> Float {
      let straightFrom = Float(zone.straightFrom)
      guard isOpenInside, chord >= straightFrom || caution > 0 else { return -1 }
      return chord - (error + Float(zone.halfWidth) + caution * straightFrom)
    }
  }
}
