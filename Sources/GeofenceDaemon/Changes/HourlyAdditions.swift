import ControlInterface
import Geofencing

/// How many conditions each user has added within an hour.
///
/// Each makes an event with the next fix, and another when it ends: a user who adds and removes conditions again
/// and again would push events out of the log that others haven't read.
struct HourlyAdditions {
  private struct Hour {
    let began: Duration
    var count = 0
  }

  private static let length = Duration.seconds(3600)

  private var hours: [UInt32: Hour] = [:]

  /// How many one user may add in an hour: twice as many as it may have, so that all can be replaced.
  static func limit(_ limits: Configuration.Limits) -> Int {
    max(10_000, 2 * limits.maximumConditionsPerUser)
  }

  /// How many a user has added in the hour that is under way, and how much of that is left.
  func count(of user: UInt32, at uptime: Duration) -> (count: Int, left: Duration) {
    guard let hour = hours[user], case let left = hour.began + Self.length - uptime, left > .zero
    else { return (0, Self.length) }
    return (hour.count, left)
  }

  /// Takes note that a user has added some; the hours of others that are over are forgotten.
  mutating func note(_ number: Int, by user: UInt32, at uptime: Duration) {
    guard number > 0 else { return }
    hours = hours.filter { uptime - $0.value.began < Self.length }
    hours[user, default: Hour(began: uptime)].count += number
  }
}

extension Monitoring {
  /// Refuses more new conditions than the owner of a monitor may add in an hour; root may add any number.
  func checkAdditions(_ number: Int, to monitor: MonitorKey) throws {
    let limit = HourlyAdditions.limit(settings.limits)
    let (count, left) = additions.count(of: monitor.user, at: clock.uptime())
    guard monitor.user != 0, number > 0, count + number > limit else { return }
    let advice =
      number > limit
      ? "change fewer at once" : "try again after \((clock.now() + left).rfc3339)"
    throw ControlError(
      .quotaExceeded,
      "user \(monitor.user) has added \(count) conditions within an hour, and \(number) more would "
        + "be over the \(limit) that MaximumConditionsPerUser= allows; \(advice)")
  }
}
