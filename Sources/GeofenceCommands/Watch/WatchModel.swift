import ControlInterface
import Geofencing

/// What there is to see while watching, as far as it is known.
///
/// Plain values: what comes from the daemon goes in, and ``WatchScreen`` shows it. What was heard last
/// stays while the daemon is gone.
struct WatchModel: Sendable {
  /// Something that was heard, and when by the clock that never runs backwards.
  struct Heard<Value: Sendable>: Sendable {
    let value: Value
    let uptime: Duration
  }

  /// How many events are kept: more than any screen shows.
  static let eventLimit = 200

  /// Who watches, whose conditions need no uid beside them.
  var user: UInt32

  /// The one monitor that is watched; nil is all.
  var monitor: String?

  private(set) var status: Heard<Status.Reply>?
  private(set) var nearest: Heard<Nearest.Reply>?

  /// The newest events, newest first.
  private(set) var events: [Event] = []

  /// Why the daemon isn't heard at present; nil while it is.
  private(set) var trouble: String?

  /// The first condition that is shown, counted from the nearest.
  private(set) var firstCondition = 0

  /// How far a page is; whoever draws the screen says so.
  var pageLength = 10

  var showsHelp = false

  /// How long the daemon may say nothing before that is told.
  var patience = Duration.seconds(5)

  init(user: UInt32, monitor: String? = nil) {
    self.user = user
    self.monitor = monitor
  }

  mutating func hear(_ reply: Status.Reply, at uptime: Duration) {
    // Events of another log have numbers of their own.
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

  /// The daemon can't be reached, or refuses to answer.
  mutating func miss(_ error: any Error) {
    trouble = "\(error)"
  }

  /// Moves what is shown of the conditions.
  mutating func scroll(by count: Int) {
    let last = max(0, (nearest?.value.conditions.count ?? 0) - pageLength)
    firstCondition = max(0, min(firstCondition + count, last))
  }

  /// The newest location, and how long ago it came; nil before the first.
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
