/// What fixes have taught of the motion, beyond the last one of them: with it an engine goes on after a restart
/// as if there had been none.
package struct LearnedMotion: Sendable {
  var filter: MotionFilter

  /// Where the last fix was taken to be.
  var estimate: PositionEstimate

  /// See ``NumberArchive/words(form:capacity:_:)``.
  private static let form: UInt64 = 21

  init(filter: MotionFilter, estimate: PositionEstimate) {
    self.filter = filter
    self.estimate = estimate
  }

  /// What was stored; nil when it can't be read or makes no sense: the next fix does just as well.
  package init?(words: [UInt64]) {
    self.init(filter: MotionFilter(), estimate: PositionEstimate(coordinate: .nowhere, sigma: 1))
    guard NumberArchive.read(words, form: Self.form, { exchange(with: &$0) }), filter.isSound,
      estimate.isSound
    else { return nil }
  }

  /// The form in which it is stored.
  package var words: [UInt64] {
    var copy = self
    return NumberArchive.words(form: Self.form) { copy.exchange(with: &$0) }
  }

  private mutating func exchange(with archive: inout NumberArchive) {
    filter.exchange(with: &archive)
    estimate.exchange(with: &archive)
  }
}
