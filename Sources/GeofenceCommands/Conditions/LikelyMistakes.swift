import CommandLineParsing
import ControlInterface
import Geofencing
import Varlink

/// What is probably a mistake about conditions that were added: they are so far from the receiver that a sign may be
/// missing, or latitude and longitude swapped, or expire by a clock that isn't set, or are where a receiver is that
/// doesn't know the date.
enum LikelyMistakes {
  /// From which distance on, in metres, it is said.
  private static let distance = 1_000_000.0

  /// How long the daemon may take to say where the receiver is: nobody waits for that.
  private static let patience = Duration.seconds(2)

  /// The beginning of 2020: before it no clock is set.
  private static let earliest = Timestamp(nanoseconds: 1_577_836_800_000_000_000)

  /// Says that a condition that was added is far away, or expires by a clock that is probably wrong, or is where a
  /// receiver says whose clock is.
  ///
  /// - Parameters:
  ///   - isPlaced: whether somebody may have mistyped where it is.
  ///   - isHere: whether it is where the receiver is.
  static func note(
    _ condition: Condition, isPlaced: Bool, isHere: Bool, _ arguments: ParsedArguments
  ) async {
    guard condition.expires != nil || isPlaced || isHere, let status = await status(arguments)
    else { return }
    if condition.expires != nil {
      noteClock(status, arguments)
    } else if isHere, let note = placeNote(status) {
      Console.tell("note: \(note)", by: arguments)
    }
    guard isPlaced, let position = status.receiver.lastFix?.coordinate else { return }
    let distance = condition.signedDistance(to: position)
    guard distance > Self.distance else { return }
    Console.tell(
      "note: that is \(Quantity.length(distance)) from the receiver; is a sign missing, or are "
        + "latitude and longitude swapped?", by: arguments)
  }

  /// Says that something expires by a clock that is probably wrong.
  private static func noteClock(_ status: Status.Reply, _ arguments: ParsedArguments) {
    if let note = clockNote(status, now: .now) { Console.tell("note: \(note)", by: arguments) }
  }

  /// Why the clock by which something expires is probably wrong; nil where nothing speaks against it.
  static func clockNote(_ status: Status.Reply, now: Timestamp) -> String? {
    if let offset = status.receiver.clockOffset {
      guard status.receiver.isClockWrong else { return nil }
      return "the receiver's clock is \(Quantity.clockOffset(offset)); that expires by this "
        + "machine's clock: is it set?"
    }
    // Before a fix, a machine that has no clock of its own is earlier than what it has logged, or than all logs.
    let logged = [status.lastEvent?.recorded, status.storage.oldest].compactMap(\.self)
    let possible = logged.map { $0 - .seconds(Status.Receiver.wrongClockOffset) } + [earliest]
    guard possible.contains(where: { now < $0 }) else { return nil }
    return "this machine's clock says \(now.text(in: .local)), and that expires by it: is it set?"
  }

  /// Why where the receiver is may be as wrong as its clock; nil where that isn't known to be off.
  static func placeNote(_ status: Status.Reply) -> String? {
    guard let offset = status.receiver.clockOffset, status.receiver.isClockWrong else { return nil }
    return "the receiver's clock is \(Quantity.clockOffset(offset)); if this machine's is set, "
      + "what the receiver says of its place may be as wrong"
  }

  /// What the daemon says of itself; nil where it doesn't soon.
  ///
  /// What was asked for is done without it.
  static func status(_ arguments: ParsedArguments) async -> Status.Reply? {
    try? await ControlClient.connected(arguments, patience: patience) {
      try await $0.call(Status.self, Status.Parameters())
    }
  }

  /// Of the conditions in a file those that are far from the receiver, or too small for it.
  struct InFile {
    private let receiver: Coordinate?
    /// What ``receiver`` is called.
    private let place: String
    /// How many conditions were too small before; nil where no daemon tells.
    private let limited: Int?
    private var count = 0
    private var expires = false
    private var far = 0
    private var farthest: (identifier: String, distance: Double) = ("", 0)

    /// Asks the daemon, before it takes any of them.
    init(_ arguments: ParsedArguments) async {
      let before = await status(arguments)
      receiver = before?.receiver.lastFix?.coordinate
      place = "the receiver"
      limited = before?.accuracyLimited
    }

    /// Compares them with where the fixes of a recording end.
    init(endOfRecording position: Coordinate) {
      (receiver, place, limited) = (position, "the recording's last fix", nil)
    }

    mutating func add(_ identifier: String, _ condition: Condition) {
      count += 1
      if condition.expires != nil { expires = true }
      guard let receiver else { return }
      // Of lines and areas, some of their positions are near enough to them, or else all of them are asked.
      let near =
        switch condition.shape {
        case .circle: nil as Double?
        case .polygon(let polygon):
          Self.distance(from: receiver, to: polygon.polygons.first?.first ?? [])
        case .corridor(let corridor):
          Self.distance(from: receiver, to: corridor.lines.first ?? [])
        }
      if let near, near <= LikelyMistakes.distance { return }
      let distance = condition.signedDistance(to: receiver)
      guard distance > LikelyMistakes.distance else { return }
      far += 1
      if distance > farthest.distance { farthest = (identifier, distance) }
    }

    /// The least distance to some of many positions; nil without any.
    private static func distance(from receiver: Coordinate, to positions: [Coordinate]) -> Double? {
      let step = max(positions.count / 8, 1)
      let some = stride(from: 0, to: positions.count, by: step).map { positions[$0] }
      return (some + positions.suffix(1)).map { $0.distance(to: receiver) }.min()
    }

    /// Says how many there are, once the daemon has taken them.
    func tell(_ arguments: ParsedArguments) async {
      tellFar(arguments)
      guard expires || limited != nil, let status = await status(arguments) else { return }
      if expires { noteClock(status, arguments) }
      let now = status.accuracyLimited
      guard let limited, now > limited else { return }
      let more = now - limited
      Console.tell(
        "warning: \(more) more \(more == 1 ? "condition is" : "conditions are") too small for the "
          + "present accuracy, or for MinimumSigma=: nobody could be sure to be inside; 'geofenced "
          + "ctl advise' says which, and how much", by: arguments)
    }

    /// Says so where all of them are far away: others may be for other recordings.
    func tellAll(_ arguments: ParsedArguments) {
      if far == count { tellFar(arguments) }
    }

    private func tellFar(_ arguments: ParsedArguments) {
      guard far > 0 else { return }
      let subject =
        if count == 1 {
          "the condition"
        } else {
          far == count ? "all \(count) conditions" : "\(far) of \(count) conditions"
        }
      Console.tell(
        "note: \(subject) \(far == 1 ? "is" : "are") far from \(place), '\(farthest.identifier)' "
          + "\(Quantity.length(farthest.distance)); is a sign missing, or are latitude and longitude "
          + "swapped?", by: arguments)
    }
  }
}
