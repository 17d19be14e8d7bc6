import ControlInterface
import Geofencing

@testable import GeofenceCommands

extension WatchModel {
  /// A drive with a fix, two events and three conditions, or as many as are asked for.
  static func onTheWay(conditions count: Int = 3) -> WatchModel {
    var model = WatchModel(user: 1000)
    model.hear(.sample { $0.lastFix = .sample }, at: .seconds(100))
    var confirming = Nearest.Nearby.sample("office", monitor: "trip", distance: -9.4)
    confirming.probability = 0.994
    confirming.candidate = .satisfied
    confirming.fixes = 1
    confirming.fixesNeeded = 2
    confirming.seconds = 0
    confirming.secondsNeeded = 1
    var tiny = Nearest.Nearby.sample("kiosk", monitor: "trip", distance: 15_021)
    tiny.accuracyLimited = true
    var conditions = [Nearest.Nearby.sample("home", .satisfied, distance: -12.2), confirming, tiny]
    conditions[0].probability = 0.998
    if count > 3 {
      conditions = (0..<50).map { .sample("c-\($0)", distance: Double($0) * 10) }
    }
    model.hear(
      Nearest.Reply(
        location: .sample, lastFixAge: 0.3, conditions: conditions, total: count),
      at: .seconds(100))
    model.hear(
      Events.Reply(events: [
        .sample(2, .exited, "trip", "office", "2026-05-04T07:58:02.000Z", 10, after: .seconds(103)),
        .sample(3, .entered, "default", "home", "2026-05-04T08:01:49.000Z", -12),
      ]))
    return model
  }
}

extension Status.Reply {
  /// A daemon with a receiver that is well.
  static func sample(_ change: (inout Status.Receiver) -> Void = { _ in }) -> Status.Reply {
    var receiver = Status.Receiver(address: "127.0.0.1:2947")
    receiver.source = "gpsd 3.25"
    receiver.devices = ["/dev/ttyACM0"]
    receiver.mode = 3
    receiver.satellitesUsed = 13
    receiver.satellitesSeen = 14
    receiver.watched = true
    receiver.lastFixAge = 0.3
    change(&receiver)
    var reply = Status.Reply(
      receiver: receiver, storage: Status.Storage(path: "/state/geofenced.db"))
    reply.version = "0.1.0"
    reply.log = "L"
    reply.conditions = 3
    reply.satisfied = 1
    return reply
  }
}

extension ControlLocation {
  static var sample: ControlLocation {
    var location = ControlLocation(
      Location(
        timestamp: Timestamp(rfc3339: "2026-05-04T08:01:51Z") ?? Timestamp(nanoseconds: 0),
        coordinate: Coordinate(latitude: 48.2000123, longitude: 16.3123456).unsafelySure,
        horizontalAccuracy: 4.2))
    location.altitude = 171
    location.verticalAccuracy = 6.5
    location.speed = 14
    location.course = 90
    location.mode = 3
    return location
  }
}

extension Optional where Wrapped == Coordinate {
  /// The coordinate of a sample, which is a valid one.
  fileprivate var unsafelySure: Coordinate {
    guard let self else { preconditionFailure("the sample is a valid coordinate") }
    return self
  }
}

extension Nearest.Nearby {
  static func sample(
    _ identifier: String, _ state: ConditionState = .unsatisfied, monitor: String = "default",
    user: UInt32 = 1000, distance: Double? = 100
  ) -> Nearest.Nearby {
    var engine = ConditionEngine()
    let key = ConditionKey(
      monitor: MonitorKey(user: user, name: monitor), identifier: identifier)
    guard
      let center = Coordinate(latitude: 48, longitude: 16),
      let circle = try? CircularGeographicCondition(center: center, radius: 100),
      let condition = try? Condition(shape: .circle(circle))
    else { preconditionFailure("the sample is a valid condition") }
    _ = engine.add(condition, as: key, assuming: state, at: Timestamp(nanoseconds: 0))
    var nearby = Nearest.Nearby(engine.nearest(1) { _ in true }.conditions[0])
    nearby.distance = distance
    nearby.probability = distance == nil ? nil : 0.0001
    return nearby
  }
}

extension Event {
  static func sample(
    _ sequence: Int64, _ kind: EventKind, _ monitor: String, _ identifier: String, _ date: String,
    _ distance: Double, after duration: Duration? = nil
  ) -> Event {
    var transition = Transition(
      key: ConditionKey(
        monitor: MonitorKey(user: 1000, name: monitor), identifier: identifier),
      kind: kind, state: kind == .entered ? .satisfied : .unsatisfied,
      previousState: kind == .entered ? .unsatisfied : .satisfied,
      date: Timestamp(rfc3339: date) ?? Timestamp(nanoseconds: 0))
    transition.distance = distance
    transition.duration = duration
    return Event(sequence: sequence, log: "L", recorded: nil, transition: transition)
  }
}
