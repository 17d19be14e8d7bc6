import ControlInterface
import Geofencing

/// The problems that `geofenced ctl status --check` reports.
struct StatusCheck: Encodable {
  /// One sentence for each problem, in the order of the status.
  private(set) var problems: [String] = []

  /// What is demanded in addition; nil demands nothing.
  struct Demands {
    /// For how long a receiver that is in use may have no fix.
    var fixWithin: Duration?

    /// How many events may wait for each consumer.
    var waitingAtMost: Int?

    /// How many conditions have to be watched at least.
    var conditionsAtLeast: Int?
  }

  init(_ reply: Status.Reply, _ monitors: [MonitorSummary], _ demands: Demands = Demands()) {
    let receiver = reply.receiver
    // If nothing needs the receiver, or it is released, it needn't be heard.
    if receiver.watched {
      let age = receiver.lastFixAge ?? .infinity
      // Right after the start or a rest there can't be a fix yet.
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
      // Not for users who read the events socket at some time and are gone, nor for a journal that is turned off.
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

  /// The sentence that a damaged log was set aside, and what to do about it.
  static func setAside(_ path: String) -> String {
    "a damaged log was set aside as \(path): remove it once you have dealt with it"
  }

  /// One line for each problem.
  var text: String {
    problems.isEmpty ? "all is well\n" : problems.map { $0 + "\n" }.joined()
  }
}
