import Geofencing

extension Array {
  /// The shortest run of the newest elements that has so many and lasts so long, by their times, which only grow; nil
  /// while there is none.
  func newest(
    _ least: Int, spanning span: Duration, by time: (Element) -> Timestamp
  ) -> ArraySlice<Element>? {
    guard count >= least, let last else { return nil }
    let latest = time(last) - span
    guard let index = lastIndex(where: { time($0) <= latest }) else { return nil }
    return self[Swift.min(index, count - least)...]
  }
}
