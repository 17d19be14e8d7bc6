internal import Geofencing

/// Durations are coded as seconds, as in the service: other programs couldn't read Swift's own form.
extension KeyedEncodingContainer {
  mutating func encodeSeconds(of duration: Duration?, forKey key: Key) throws {
    try encodeIfPresent(duration?.inSeconds, forKey: key)
  }
}

extension KeyedDecodingContainer {
  func decodeSeconds(forKey key: Key) throws -> Duration? {
    guard let seconds = try decodeIfPresent(Double.self, forKey: key) else { return nil }
    guard let duration = Duration(inSeconds: seconds) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(seconds) seconds can't be kept")
    }
    return duration
  }
}
