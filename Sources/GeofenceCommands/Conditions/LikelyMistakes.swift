import CommandLineParsing
import ControlInterface
import Geofencing
import Varlink

/// Notes about conditions that were added and are probably wrong.
///
/// They may be so far from the receiver that a sign is missing or latitude and longitude are swapped, or expire by a
/// clock that isn't set, or be placed by a receiver that doesn't know the date.
enum LikelyMistakes {
  /// From how many metres on a condition is far from the receiver.
  private static let distance = 1_000_000.0

  /// How long the daemon may take to answer: the note isn't worth a longer wait.
  private static let patience = Duration.seconds(2)

  /// The beginning of 2020: a clock that is earlier isn't set.
  private static let earliest = Timestamp(nanoseconds: 1_577_836_800_000_000_000)

  /// Prints a note if a condition that was added is far away, or expires by a clock that is probably wrong, or was
  /// placed by a receiver whose clock is.
  ///
  /// - Parameters:
  ///   - isPlaced: whether its position was typed.
  ///   - isHere: whether it was placed by the receiver's location.
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

  /// Prints a note if the clock by which something expires is probably wrong.
  private static func noteClock(_ status: Status.Reply, _ arguments: ParsedArguments) {
    if let note = clockNote(status, now: .now) { Console.tell("note: \(note)", by: arguments) }
  }

  /// Why the clock by which something expires is probably wrong; nil if it seems right.
  static func clockNote(_ status: Status.Reply, now: Timestamp) -> String? {
    if let offset = status.receiver.clockOffset {
      guard status.receiver.isClockWrong else { return nil }
      return "the receiver's clock is \(Quantity.clockOffset(offset)); that expires by this "
        + "machine's clock: is it set?"
    }
    // Before a fix, the clock of a machine without a battery is earlier than its own log, or than any log can be.
    let logged = [status.lastEvent?.recorded, status.storage.oldest].compactMap(\.self)
    let possible = logged.map { $0 - .seconds(Status.Receiver.wrongClockOffset) } + [earliest]
    guard possible.contains(where: { now < $0 }) else { return nil }
    return "this machine's clock says \(now.text(in: .local)), and that expires by it: is it set?"
  }

  /// Why the receiver's location may be as wrong as its clock; nil if the clock isn't known to be off.
  static func placeNote(_ status: Status.Reply) -> String? {
    guard let offset = status.receiver.clockOffset, status.receiver.isClockWrong else { return nil }
    return "the receiver's clock is \(Quantity.clockOffset(offset)); if this machine's is set, "
      + "what the receiver says of its place may be as wrong"
  }

  /// The daemon's status; nil if it doesn't answer soon.
  ///
  /// It is only for notes: the command has done its work without it.
  static func status(_ arguments: ParsedArguments) async -> Status.Reply? {
    try? await ControlClient.connected(arguments, patience: patience) {
      try await $0.call(Status.self, Status.Parameters())
    }
  }

  /// Finds conditions of a file that are far from the receiver, or too small for its accuracy.
  struct InFile {
    private let receiver: Coordinate?
    /// What ``receiver`` is, in words.
    private let place: String
    /// How many of the daemon's conditions were too small before; nil if there is no answer.
    private let limited: Int?
    private var count = 0
    private var expires = false
    private var far = 0
    private var farthest: (identifier: String, distance: Double) = ("", 0)

    /// Asks the daemon, before it has taken any of the conditions.
    init(_ arguments: ParsedArguments) async {
      let before = await status(arguments)
      receiver = before?.receiver.lastFix?.coordinate
      place = "the receiver"
      limited = before?.accuracyLimited
    }

    /// Compares the conditions with the last fix of a recording.
    init(endOfRecording position: Coordinate) {
      (receiver, place, limited) = (position, "the recording's last fix", nil)
    }

    mutating func add(_ identifier: String, _ condition: Condition) {
      count += 1
      if condition.expires != nil { expires = true }
      guard let receiver else { return }
      // For lines and areas, the distance to some of their positions usually tells at once that they are near.
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

    /// The shortest distance in metres to a few of many positions; nil if there are none.
    private static func distance(from receiver: Coordinate, to positions: [Coordinate]) -> Double? {
      let step = max(positions.count / 8, 1)
      let some = stride(from: 0, to: positions.count, by: step).map { positions[$0] }
      return (some + positions.suffix(1)).map { $0.distance(to: receiver) }.min()
    }

    /// Prints the notes, when the daemon has taken the conditions.
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

    /// Prints a note if all of them are far away: single ones may be for other recordings.
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
