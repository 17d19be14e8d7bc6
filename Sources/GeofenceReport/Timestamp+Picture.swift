import Geofencing

extension Timestamp {
  /// Milliseconds since 1970.
  var milliseconds: Int64 { nanoseconds / 1_000_000 }

  /// Whether one of the instants, which are sorted, is at most two seconds away.
  func isNear(_ dates: [Timestamp]) -> Bool {
    var (low, high) = (0, dates.count)
    while low < high {
      let middle = (low + high) / 2
      if dates[middle] < self { low = middle + 1 } else { high = middle }
    }
    let isBefore = low > 0 && self - dates[low - 1] <= .seconds(2)
    return isBefore || low < dates.count && dates[low] - self <= .seconds(2)
  }
}
