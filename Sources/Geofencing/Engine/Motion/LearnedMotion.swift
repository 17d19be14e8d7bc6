/// What the fixes have taught about the motion, so that an engine goes on after a restart as if there had been none.
package struct LearnedMotion: Sendable {
  var filter: MotionFilter

  /// Where the last fix was taken to be.
  var estimate: PositionEstimate

  /// The version of the archive's format: see ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 21

  init(filter: MotionFilter, estimate: PositionEstimate) {
    self.filter = filter
    self.estimate = estimate
  }

  /// Reads what was stored; nil if that can't be read or makes no sense, and the engine begins anew with the next fix.
  package init?(words: [UInt64]) {
    self.init(filter: MotionFilter(), estimate: PositionEstimate(coordinate: .nowhere, sigma: 1))
    guard NumberArchive.read(words, form: Self.form, { exchange(with: &$0) }), filter.isSound,
      estimate.isSound
    else { return nil }
  }

  /// The numbers as which it is stored.
  package var words: [UInt64] {
    var copy = self
    return NumberArchive.words(form: Self.form) { copy.exchange(with: &$0) }
  }

  private mutating func exchange(with archive: inout NumberArchive) {
    filter.exchange(with: &archive)
    estimate.exchange(with: &archive)
  }
}
