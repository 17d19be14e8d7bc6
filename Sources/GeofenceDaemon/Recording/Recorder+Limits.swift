import ControlInterface
import Geofencing

/// The limits within which a recording may be begun.
extension Recorder {
  /// Refuses a duration that a recording may not have.
  static func check(
    _ duration: Duration, _ limits: Configuration.Storage
  ) throws(ControlError) {
    guard (.seconds(1)...max(.seconds(1), limits.maximumRecordingTime)).contains(duration) else {
      let given =
        duration < .seconds(1) ? "\(duration.inSeconds.shortest) s" : duration.readable
      throw ControlError(
        .recordingRefused,
        "a recording may last from 1 s to \(limits.maximumRecordingTime.readable) "
          + "(MaximumRecordingSec=), not \(given)")
    }
  }

  /// Refuses a largest size that a recording may not have, in bytes.
  static func check(_ bytes: Int, _ limits: Configuration.Storage) throws(ControlError) {
    guard (leastBytes...max(leastBytes, limits.maximumRecordingBytes)).contains(bytes)
    else {
      throw ControlError(
        .recordingRefused,
        "a recording may have from \(leastBytes) to \(limits.maximumRecordingBytes) bytes "
          + "(MaximumRecordingBytes=), not \(bytes)")
    }
  }

  /// Refuses a name that a recording can't have.
  static func check(_ name: String) throws(ControlError) {
    guard RecordingName.isValid(name) else {
      throw ControlError(.recordingRefused, "a recording's name is \(RecordingName.rule)")
    }
  }
}
