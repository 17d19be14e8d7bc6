/// Whether somebody reads what was sent, however slowly.
struct ReadingProgress {
  private let patience: Duration
  private var waited = Duration.zero
  private var left = Int.max

  /// - Parameter patience: for how long nothing may be read.
  init(patience: Duration) { self.patience = patience }

  /// Whether it is worth to wait once more.
  ///
  /// - Parameters:
  ///   - pause: how long that would take.
  ///   - left: how many bytes haven't been read by now; more may have been sent meanwhile.
  mutating func goesOn(after pause: Duration, left: Int) -> Bool {
    if left < self.left { waited = .zero }
    self.left = left
    guard waited < patience else { return false }
    waited += pause
    return true
  }
}
