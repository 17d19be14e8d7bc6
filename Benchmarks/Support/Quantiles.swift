extension Array where Element: Comparable {
  /// The smallest value that a share of all values doesn't exceed (the nearest rank); nil without values.
  package func quantile(_ share: Double) -> Element? {
    guard !isEmpty else { return nil }
    let rank = Int((share * Double(count)).rounded(.up))
    return sorted()[Swift.min(Swift.max(rank, 1), count) - 1]
  }
}

extension [Double] {
  /// The middle value, or the mean of the two middle ones; NaN without values.
  package var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
