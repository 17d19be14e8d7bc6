/// What the readings of a step counter say.
struct StepCount {
  private var last: Int?

  /// Takes the next reading; true when steps were made since the one before.
  ///
  /// A smaller number is a counter that began again, by overflow or because its driver did. It is
  /// where counting goes on from, and no step: if somebody walks, the next reading shows it.
  mutating func take(_ reading: Int) -> Bool {
    defer { last = reading }
    guard let last else { return false }
    return reading > last
  }
}
