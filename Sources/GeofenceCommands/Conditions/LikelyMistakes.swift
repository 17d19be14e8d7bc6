import CommandLineParsing
import ControlInterface
import Geofencing
import Varlink

/// What is probably a mistake about conditions that were added: they are so far from the receiver that a sign may be
/// missing, or latitude and longitude swapped, or expire by a clock that isn't set.
enum LikelyMistakes {
  /// From which distance on, in metres, it is said.
  private static let distance = 1_000_000.0

  /// How long the daemon may take to say where the receiver is: nobody waits for that.
  private static let patience = Duration.seconds(2)

  /// From which difference to the receiver's clock on, in seconds, the machine's is probably not set.
  private static let clockOffset = 86_400.0

  /// Says that a condition that was added is far away, or expires by a clock that is probably wrong.
  static func note(_ condition: Condition, _ arguments: ParsedArguments) async {
    // What was asked for is done: nothing that goes wrong here matters.
    let status: Status.Reply? = try? await ControlClient.connected(arguments, patience: patience) {
      try await $0.call(Status.self, Status.Parameters())
    }
    guard let receiver = status?.receiver, let fix = receiver.lastFix else { return }
    if condition.expires != nil, let offset = receiver.clockOffset, abs(offset) >= clockOffset {
      Console.tell(
        "note: the receiver's clock is \(Quantity.clockOffset(offset)); that expires by this "
          + "machine's clock: is it set?", by: arguments)
    }
    guard let position = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
    else { return }
    tell("that is", condition.signedDistance(to: position), arguments)
  }

  /// Says that all conditions of a monitor are far away.
  static func noteNearest(_ arguments: ParsedArguments) async {
    guard let owner = try? ControlClient.viewer(arguments) else { return }
    let parameters = Nearest.Parameters(
      user: owner, monitor: arguments.string("monitor") ?? GeofencedInterface.defaultMonitor,
      limit: 1)
    let reply: Nearest.Reply? = try? await ControlClient.connected(arguments, patience: patience) {
      try await $0.call(Nearest.self, parameters)
    }
    guard let distance = reply?.conditions.first?.distance else { return }
    tell("the nearest condition is", distance, arguments)
  }

  private static func tell(_ what: String, _ distance: Double, _ arguments: ParsedArguments) {
    guard distance > Self.distance else { return }
    Console.tell(
      "note: \(what) \(Quantity.length(distance)) from the receiver; is a sign missing, "
        + "or are latitude and longitude swapped?",
      by: arguments)
  }
}
