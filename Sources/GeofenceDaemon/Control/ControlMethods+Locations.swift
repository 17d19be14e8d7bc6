import CommandLineParsing
import ControlInterface
import Geofencing
import Positioning
import Varlink

/// The method that tells where the receiver is.
extension ControlMethods {
  func locations(
    _ parameters: Locations.Parameters, _ call: VarlinkCall,
    _ replies: VarlinkReplies<Locations.Reply>
  ) async throws -> Locations.Reply {
    let configuration = try parameters.configuration.map(liveConfiguration)
    // One answer has no pause, so it could only ignore the configuration.
    if configuration != nil { try call.requireMore() }
    guard call.wantsMore else { return await presentLocation() }
    need.add(.subscriber)
    defer { need.remove(.subscriber) }
    let listener = broadcast.listen(with: configuration)
    defer { broadcast.leave(listener) }
    let replies = replies.whereOldOnesAreWorthless()
    while true {
      let heard = try await listener.next()
      try await replies.send(reply(heard.update, dropped: heard.dropped))
    }
  }

  private func liveConfiguration(_ name: String) throws -> LiveConfiguration {
    guard let configuration = LiveConfiguration(rawValue: name) else {
      throw VarlinkError.invalidParameter(
        "configuration",
        message: "\(quoted(name)) is no live configuration: use one of "
          + LiveConfiguration.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return configuration
  }

  /// How long a receiver that nothing needed is watched for the sake of one answer: callers lose
  /// patience after half a minute.
  private static let fixPatience = Duration.seconds(20)

  /// Whether its location is older than what is known may be, as after a sleep of the machine in which the receiver
  /// was released: it may be anywhere by now.
  private func isOld(_ update: LocationUpdate) async -> Bool {
    guard let location = update.location, let now = await monitoring.fixTime else { return false }
    let settings = await monitoring.settings
    // Where looks are farther apart, the last one is the newest that there can be.
    return now - location.timestamp > max(settings.unknownAfter, settings.pause.probeInterval)
  }

  /// What is known; when nothing is, or the receiver isn't watched but by those who ask the same, it is for
  /// as long as it takes, within limits.
  private func presentLocation() async -> Locations.Reply {
    if let latest = broadcast.present, await !isOld(latest) {
      let reasons = need.reasons
      let isKnown = latest.location != nil || latest.receiverDisconnected
      if reasons.isNeeded, isKnown || reasons.conditions > 0 || !reasons.sessions.isEmpty {
        return reply(latest)
      }
    }
    need.add(.subscriber)
    defer { need.remove(.subscriber) }
    let listener = broadcast.listen(awaitingLocation: true)
    defer { broadcast.leave(listener) }
    let first = await withTaskGroup(of: LocationUpdate?.self) { group in
      group.addTask {
        while let heard = try? await listener.next() {
          let isKnown = heard.update.location != nil || heard.update.receiverDisconnected
          if isKnown, await !isOld(heard.update) { return heard.update }
        }
        return nil
      }
      group.addTask {
        try? await clock.sleeping.sleep(for: Self.fixPatience)
        guard var present = broadcast.present else { return nil }
        if await isOld(present) { present.location = nil }
        return present
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    // What is wrong is known while the receiver is needed.
    return reply(first)
  }

  private func reply(_ update: LocationUpdate?, dropped: Int = 0) -> Locations.Reply {
    var reply = Locations.Reply(
      location: update?.location, accuracyLimited: update?.accuracyLimited ?? false,
      receiverDisconnected: update?.receiverDisconnected ?? false)
    if update?.location == nil { reply.disconnection = status.trouble }
    reply.stationary = update?.isStationary ?? false
    reply.paused = update?.isPaused ?? false
    reply.dropped = dropped
    return reply
  }
}
