import ControlInterface
import Geofencing
import Varlink

/// The methods about recordings: a recording belongs to whoever began it, and to root.
extension ControlMethods {
  func startRecording(
    _ parameters: StartRecording.Parameters, _ call: VarlinkCall
  ) async throws -> RecordingReply {
    var duration: Duration?
    if let seconds = parameters.seconds {
      guard let exact = Duration(inSeconds: seconds) else {
        throw ControlError(.recordingRefused, "a recording can't last \(seconds) s")
      }
      duration = exact
    }
    return RecordingReply(
      recording: try await recorder.start(
        user: owner(parameters.user, call), name: parameters.name, duration: duration,
        bytes: parameters.bytes, replacing: parameters.replacing ?? false))
  }

  func recordings(
    _ parameters: Recordings.Parameters, _ call: VarlinkCall
  ) async throws -> Recordings.Reply {
    let user = try visibleUser(parameters.user, call)
    return Recordings.Reply(
      newest: await recorder.status(user: user), recordings: await recorder.list(user: user))
  }

  func readRecording(
    _ parameters: ReadRecording.Parameters, _ call: VarlinkCall,
    _ replies: VarlinkReplies<ReadRecording.Reply>
  ) async throws -> ReadRecording.Reply {
    let user = try owner(parameters.user, call)
    var offset = parameters.offset ?? 0
    while true {
      let (text, next) = try await recorder.read(parameters.name, of: user, from: offset)
      let reply = ReadRecording.Reply(text: text, next: next)
      // The next part is read when the caller has taken this one: nothing is read ahead.
      guard call.wantsMore, let next else { return reply }
      try await replies.send(reply)
      offset = next
    }
  }
}
