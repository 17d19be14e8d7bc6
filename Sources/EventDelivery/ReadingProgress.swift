/// Decides whether somebody still reads what was sent, however slowly.
struct ReadingProgress {
  private let patience: Duration
  private var waited = Duration.zero
  private var left = Int.max

  /// - Parameter patience: For how long nothing may be read.
  init(patience: Duration) { self.patience = patience }

  /// Whether it is worthwhile to wait once more.
  ///
  /// - Parameters:
  ///   - pause: How long the next wait takes.
  ///   - left: How many bytes are unread now; some of them may have been sent since the last call.
  mutating func goesOn(after pause: Duration, left: Int) -> Bool {
    if left < self.left { waited = .zero }
    self.left = left
    guard waited < patience else { return false }
    waited += pause
    return true
  }
}
