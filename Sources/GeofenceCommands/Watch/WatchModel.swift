import ControlInterface
import Geofencing

/// Everything that is shown while watching, as far as it is known.
///
/// It is a plain value: replies of the daemon are put in, and ``WatchScreen`` draws it. While the daemon is gone, the
/// last replies stay.
struct WatchModel: Sendable {
  /// A value from the daemon, and the uptime when it came.
  struct Heard<Value: Sendable>: Sendable {
    let value: Value
    let uptime: Duration
  }

  /// How many events are kept: more than any screen shows.
  static let eventLimit = 200

  /// The user who watches, whose conditions are shown without a uid.
  var user: UInt32

  /// The monitor that is watched; nil for all.
  var monitor: String?

  private(set) var status: Heard<Status.Reply>?
  private(set) var nearest: Heard<Nearest.Reply>?

  /// The newest events, newest first.
  private(set) var events: [Event] = []

  /// Why the daemon doesn't answer at present; nil while it does.
  private(set) var trouble: String?

  /// The first condition that is shown, counted from the nearest.
  private(set) var firstCondition = 0

  /// How many conditions a page has, which is set when the screen is drawn.
  var pageLength = 10

  var showsHelp = false

  /// After how long without an answer of the daemon that is shown.
  var patience = Duration.seconds(5)

  init(user: UInt32, monitor: String? = nil) {
    self.user = user
    self.monitor = monitor
  }

  mutating func hear(_ reply: Status.Reply, at uptime: Duration) {
    // Another log has other events with the same numbers.
    if let log = status?.value.log, log != reply.log { events = [] }
    status = Heard(value: reply, uptime: uptime)
    trouble = nil
  }

  mutating func hear(_ reply: Nearest.Reply, at uptime: Duration) {
    nearest = Heard(value: reply, uptime: uptime)
    firstCondition = max(0, min(firstCondition, reply.conditions.count - 1))
  }

  mutating func hear(_ reply: Events.Reply) {
    events = Array((reply.events.reversed() + events).prefix(Self.eventLimit))
  }

  /// Notes that the daemon can't be reached, or refuses to answer.
  mutating func miss(_ error: any Error) {
    trouble = "\(error)"
  }

  /// Scrolls the conditions.
  mutating func scroll(by count: Int) {
    let last = max(0, (nearest?.value.conditions.count ?? 0) - pageLength)
    firstCondition = max(0, min(firstCondition + count, last))
  }

  /// The newest location, and how many seconds ago it came; nil before the first one.
  func location(at uptime: Duration) -> (location: ControlLocation, age: Double?)? {
    let told = status.flatMap { status in
      status.value.receiver.lastFix.map {
        ($0, status.value.receiver.lastFixAge, status.uptime)
      }
    }
    let judged = nearest.flatMap { nearest in
      nearest.value.location.map { ($0, nearest.value.lastFixAge, nearest.uptime) }
    }
    let newest =
      switch (told, judged) {
      case (let told?, let judged?): told.0.timestamp > judged.0.timestamp ? told : judged
      default: told ?? judged
      }
    return newest.map { location, age, heard in
      (location, age.map { $0 + (uptime - heard).inSeconds })
    }
  }
}
