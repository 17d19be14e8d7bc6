/// Sequence numbers whose events were removed from the log before somebody had read them, or can't be read.
package struct Lagged: Codable, Sendable, Hashable {
  /// The first number of the range.
  package var first: Int64

  /// The last one, which belongs to the range.
  package var last: Int64

  /// How many of the events between them were meant for the reader; nil where nobody counted.
  package var events: Int?

  package init(first: Int64, last: Int64, events: Int? = nil) {
    self.first = first
    self.last = last
    self.events = events
  }

  /// What of it lies after a number; nil when nothing does.
  package func after(_ sequence: Int64) -> Lagged? {
    guard last > sequence else { return nil }
    // How many of them lie before the number isn't known.
    return sequence < first ? self : Lagged(first: sequence + 1, last: last)
  }

  /// This and what was lost behind it, together.
  package func and(_ later: Lagged) -> Lagged {
    guard let events, let others = later.events else {
      return Lagged(first: first, last: later.last)
    }
    let (sum, overflow) = events.addingReportingOverflow(others)
    return Lagged(first: first, last: later.last, events: overflow ? nil : sum)
  }
}
