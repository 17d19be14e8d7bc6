import ControlInterface
import Geofencing

/// What somebody has to see to, for `geofenced ctl status --check`.
struct StatusCheck: Encodable {
  /// A sentence for each, in the order of the status.
  private(set) var problems: [String] = []

  /// What is asked for beyond what always has to be; nil asks for nothing.
  struct Demands {
    /// For how long a receiver may be in use without a fix.
    var fixWithin: Duration?

    /// How many events may wait for a consumer.
    var waitingAtMost: Int?

    /// How many conditions have to be watched.
    var conditionsAtLeast: Int?
  }

  init(_ reply: Status.Reply, _ monitors: [MonitorSummary], _ demands: Demands = Demands()) {
    let receiver = reply.receiver
    // A receiver that nothing needs, or that rests, isn't missed.
    if receiver.watched {
      let age = receiver.lastFixAge ?? .infinity
      // Right after a start, or a rest, there can't be one yet.
      let wait = min(age, receiver.usedFor ?? age)
      if receiver.disconnection != nil || receiver.silent && !receiver.released {
        problems.append("receiver: " + StatusCommand.reachability(receiver))
      } else if let fixWithin = demands.fixWithin, !receiver.released, wait > fixWithin.inSeconds {
        let last = "for " + Duration.seconds(min(age, 1e10)).readable
        problems.append("receiver: no fix " + (age.isFinite ? last : "since the daemon started"))
      }
      if let doubt = receiver.lastingDoubtText { problems.append("receiver: " + doubt) }
      if receiver.isClockWrong, let text = receiver.clockText {
        problems.append(
          "clock: \(text): set this machine's clock, or restart or replace the receiver")
      }
    }
    if let least = demands.conditionsAtLeast, reply.conditions < least {
      problems.append("conditions: \(reply.conditions) watched, fewer than \(least)")
    }
    for consumer in reply.consumers {
      if let failure = consumer.failure {
        problems.append("consumer \(consumer.name): \(failure)")
      }
      // Whoever has once read the socket has a place there for ever, and so has a journal that is turned off.
      guard consumer.disabled != true, consumer.user != nil || consumer.connected == nil else {
        continue
      }
      let reader = StatusCommand.reader(consumer)
      if let lagged = consumer.lagged {
        problems.append("consumer \(reader): missed \(LaggedText.text(lagged))")
      }
      if let most = demands.waitingAtMost, consumer.waiting > most {
        problems.append("consumer \(reader): \(StatusCommand.progress(consumer))")
      }
    }
    for monitor in monitors {
      guard let failure = monitor.launchFailure else { continue }
      problems.append("unit of monitor \(monitor.monitor) of user \(monitor.user): \(failure)")
    }
    let storage = reply.storage
    if let failure = storage.failure {
      problems.append("storage: \(storage.path) " + StatusCommand.fails(storage, failure))
    }
    if storage.lost > 0 {
      let lost = Quantity.count(storage.lost, "event was", "events were")
      problems.append("storage: \(lost) lost since the daemon started")
    }
    if let damaged = storage.setAside { problems.append("storage: " + Self.setAside(damaged)) }
  }

  /// That a damaged log was set aside, and what to do about it.
  static func setAside(_ path: String) -> String {
    "a damaged log was set aside as \(path): remove it once you have dealt with it"
  }

  /// One line for each.
  var text: String {
    problems.isEmpty ? "all is well\n" : problems.map { $0 + "\n" }.joined()
  }
}
