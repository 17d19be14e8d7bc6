import CommandLineParsing
import ControlInterface
import Geofencing
import GeographicFiles
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

  /// Where the receiver is; nil where the daemon doesn't say it soon.
  static func receiver(_ arguments: ParsedArguments) async -> Coordinate? {
    let status: Status.Reply? = try? await ControlClient.connected(arguments, patience: patience) {
      try await $0.call(Status.self, Status.Parameters())
    }
    guard let fix = status?.receiver.lastFix else { return nil }
    return Coordinate(latitude: fix.latitude, longitude: fix.longitude)
  }

  /// Of the conditions in a file those that are far from a receiver.
  struct FarPlaces {
    private let receiver: Coordinate
    private var count = 0
    private var far = 0
    private var farthest: (identifier: String, distance: Double) = ("", 0)

    init(from receiver: Coordinate) { self.receiver = receiver }

    mutating func add(_ named: NamedCondition) {
      count += 1
      // Somewhere in it is near enough to it.
      let place =
        switch named.condition.shape {
        case .circle(let circle): circle.center
        case .polygon(let polygon): polygon.polygons.first?.first?.first
        case .corridor(let corridor): corridor.lines.first?.first
        }
      guard let distance = place?.distance(to: receiver), distance > LikelyMistakes.distance else {
        return
      }
      far += 1
      if distance > farthest.distance { farthest = (named.identifier, distance) }
    }

    /// Says how many there are.
    func tell(_ arguments: ParsedArguments) {
      guard far > 0 else { return }
      let subject =
        if count == 1 {
          "the condition"
        } else {
          far == count ? "all \(count) conditions" : "\(far) of \(count) conditions"
        }
      Console.tell(
        "note: \(subject) \(far == 1 ? "is" : "are") far from the receiver, '\(farthest.identifier)' "
          + "\(Quantity.length(farthest.distance)); is a sign missing, or are latitude and longitude "
          + "swapped?", by: arguments)
    }
  }

  private static func tell(_ what: String, _ distance: Double, _ arguments: ParsedArguments) {
    guard distance > Self.distance else { return }
    Console.tell(
      "note: \(what) \(Quantity.length(distance)) from the receiver; is a sign missing, "
        + "or are latitude and longitude swapped?",
      by: arguments)
  }
}
