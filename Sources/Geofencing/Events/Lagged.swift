/// A range of sequence numbers whose events a reader missed: they were removed from the log before, or can't be read.
package struct Lagged: Codable, Sendable, Hashable {
  /// The first number of the range.
  package var first: Int64

  /// The last number of the range.
  package var last: Int64

  /// How many events in the range were meant for the reader; nil if they weren't counted.
  package var events: Int?

  package init(first: Int64, last: Int64, events: Int? = nil) {
    self.first = first
    self.last = last
    self.events = events
  }

  /// The part of the range after a sequence number; nil if there is none.
  package func after(_ sequence: Int64) -> Lagged? {
    guard last > sequence else { return nil }
    // How many of the events lie before that number isn't known.
    return sequence < first ? self : Lagged(first: sequence + 1, last: last)
  }

  /// This range and a later one, together.
  package func and(_ later: Lagged) -> Lagged {
    guard let events, let others = later.events else {
      return Lagged(first: first, last: later.last)
    }
    let (sum, overflow) = events.addingReportingOverflow(others)
    return Lagged(first: first, last: later.last, events: overflow ? nil : sum)
  }
}
