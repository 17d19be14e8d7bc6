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
    // A configuration judges pauses, and a single answer has none.
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

  /// The time before which a location is too old to be the present one; nil if the present time isn't known.
  ///
  /// A location gets that old if the machine sleeps while the receiver is released. It may be anywhere by then.
  private var earliestPresent: Timestamp? {
    get async {
      guard let now = await monitoring.fixTime else { return nil }
      let settings = await monitoring.settings
      // While the receiver is released, the newest location is that of the last look, until the next one has a fix.
      let newest = settings.pause.probeInterval + PauseParameters.fixTimeout
      return now - max(settings.unknownAfter, newest)
    }
  }

  private static func isOld(_ update: LocationUpdate, _ earliest: Timestamp?) -> Bool {
    guard let location = update.location, let earliest else { return false }
    return location.timestamp < earliest
  }

  /// The present location.
  ///
  /// If none is known, or only calls like this one keep the receiver watched, it waits for a new one, within limits.
  private func presentLocation() async -> Locations.Reply {
    // Asked before anything is heard: gpsd may begin with a report from before the sleep, which would seem new.
    let earliest = await earliestPresent
    if let latest = broadcast.present, !Self.isOld(latest, earliest) {
      let reasons = need.reasons
      let isKnown = latest.location != nil || latest.receiverDisconnected
      if reasons.isNeeded, isKnown || reasons.conditions > 0 || !reasons.sessions.isEmpty {
        return reply(latest)
      }
    }
    need.add(.subscriber)
    defer { need.remove(.subscriber) }
    let listener = broadcast.listen(awaitingNewer: true)
    defer { broadcast.leave(listener) }
    let first = await withTaskGroup(of: LocationUpdate?.self) { group in
      group.addTask {
        while let heard = try? await listener.next() {
          let isKnown = heard.update.location != nil || heard.update.receiverDisconnected
          if isKnown, !Self.isOld(heard.update, earliest) { return heard.update }
        }
        return nil
      }
      group.addTask {
        try? await clock.sleeping.sleep(for: Self.fixPatience)
        guard var present = broadcast.present else { return nil }
        if Self.isOld(present, earliest) { present.location = nil }
        return present
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    // Made while the receiver is still needed: after that its trouble isn't known.
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
