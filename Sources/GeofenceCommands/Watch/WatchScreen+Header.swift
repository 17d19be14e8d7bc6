import ControlInterface
import Geofencing

extension WatchScreen {
  /// One line about the receiver.
  struct HeaderLine {
    let label: String
    let text: String
    var look = Canvas.Look.plain
  }

  /// From how many seconds on a fix is shown as doubtful.
  private static let oldAge = 5.0

  /// From how many metres per second on something moves: receivers at rest report less.
  private static let movingSpeed = 1.0

  /// The lines about the receiver: four, or only the most important ones.
  func headerLines(atMost count: Int) -> [HeaderLine] {
    guard count < 4 else { return [positionLine, fixLine, motionLine, receiverLine] }
    // The more important one of both first: the one that shows a problem.
    let second = isReceiverWell ? fixLine : receiverLine
    return Array([positionLine, second].prefix(max(0, count)))
  }

  private var receiver: Status.Receiver? { model.status?.value.receiver }

  private var isReceiverWell: Bool {
    guard let receiver else { return true }
    return receiver.watched && receiver.disconnection == nil && !receiver.silent
      && receiver.source != nil
  }

  private var positionLine: HeaderLine {
    guard let (location, _) = model.location(at: uptime) else {
      return HeaderLine(label: "Position", text: "none yet", look: .doubtful)
    }
    var text =
      "\(Quantity.fixed(location.latitude, places: 6)) "
      + "\(Quantity.fixed(location.longitude, places: 6))"
    text += location.horizontalAccuracy.map { " " + Quantity.accuracy($0) } ?? " ±unknown"
    if let altitude = location.altitude {
      text += "  altitude \(Quantity.metres(altitude))"
      if let accuracy = location.verticalAccuracy { text += " " + Quantity.accuracy(accuracy) }
    }
    if location.simulated { text += "  simulated" }
    return HeaderLine(label: "Position", text: text, look: .bold)
  }

  private var fixLine: HeaderLine {
    var parts: [String] = []
    var look = Canvas.Look.plain
    if let receiver {
      parts.append(StatusCommand.fix(receiver))
      if receiver.mode < 2 { look = .doubtful }
    }
    if let (location, age) = model.location(at: uptime) {
      let time = WatchText.time(location.timestamp, in: zone)
      if let age {
        parts.append("\(time), \(WatchText.age(age))")
        if age > Self.oldAge { look = .doubtful }
      } else {
        parts.append("last \(time)")
        look = .doubtful
      }
    }
    return HeaderLine(
      label: "Fix", text: parts.isEmpty ? "-" : parts.joined(separator: "  "), look: look)
  }

  private var motionLine: HeaderLine {
    var parts: [String] = []
    let location = model.location(at: uptime)?.location
    if let receiver, let since = receiver.pausedSince {
      parts.append("stationary, paused since \(WatchText.time(since, in: zone))")
      if receiver.released {
        parts.append("released")
        parts.append(probe(receiver))
      }
    } else {
      if let speed = location?.speed {
        parts.append(WatchText.speed(speed))
        if let course = location?.course, speed >= Self.movingSpeed {
          parts.append("course \(Quantity.fixed(course, places: 0))°")
        }
      }
      if receiver?.stationary == true {
        parts.append("stationary")
      } else if let speed = location?.speed, speed >= Self.movingSpeed {
        parts.append("moving")
      }
    }
    return HeaderLine(
      label: "Motion", text: parts.isEmpty ? "-" : parts.joined(separator: ", "))
  }

  private func probe(_ receiver: Status.Receiver) -> String {
    guard let next = receiver.nextProbe else { return "looking" }
    let left = next - (model.status.map { (uptime - $0.uptime).inSeconds } ?? 0)
    return "next look in \(Quantity.fixed(max(0, left), places: 0)) s"
  }

  private var receiverLine: HeaderLine {
    guard let receiver else { return HeaderLine(label: "Receiver", text: "-") }
    var text = StatusCommand.reachability(receiver)
    if !receiver.devices.isEmpty { text += ", \(receiver.devices.joined(separator: ", "))" }
    let isBroken = receiver.watched && (receiver.disconnection != nil || receiver.silent)
    return HeaderLine(label: "Receiver", text: text, look: isBroken ? .trouble : .plain)
  }
}
