import CommandLineParsing
import ControlInterface
import Geofencing

/// The command `geofenced ctl change`.
enum ChangeCommand: Subcommand {
  static let definition = Command(
    "change", abstract: "Change part of a condition, and keep the rest.",
    discussion: """
      If its shape and altitudes stay the same, the condition goes on in its state, with the stay \
      that is under way. If it is moved, or gets another radius, width or band of altitudes, it \
      begins anew, as if it had been added in place of the old one. To give it another shape, use \
      'geofenced ctl add --id'.
      """,
    examples: [
      Example("geofenced ctl change home --radius 200", "The same place, but larger."),
      Example(
        "geofenced ctl change anchor --here --bearing 270 --distance 30",
        "Around what lies 30 metres to the west of the receiver."),
      Example(
        "geofenced ctl change home --exit-after 3min", "What 'geofenced ctl advise' may suggest."),
      Example(
        "geofenced ctl change home --reset exit-after", "Back to what the configuration says."),
    ],
    arguments: [ControlClient.condition],
    options: shape + [
      ControlClient.monitor, ConditionOptions.assuming,
      Option(
        "reset", takes: .choice("OPTION", ConditionAdjustment.Option.allCases.map(name)),
        repeats: true, help: "Undo what this option set."),
    ] + ConditionOptions.all + [ControlClient.user])

  private static let shape = GivenShape.options.filter {
    ["lat", "lon", "here", "bearing", "distance", "radius", "width"].contains($0.name)
  }

  /// The name of an option on the command line.
  private static func name(of option: ConditionAdjustment.Option) -> String {
    option.rawValue.words(separatedBy: "-")
  }

  static func run(_ arguments: ParsedArguments) async throws {
    let name = try ControlClient.conditionName(arguments)
    if arguments.flag("here"), arguments.isGiven("lat") || arguments.isGiven("lon") {
      throw arguments.usageError("--here is instead of --lat and --lon")
    }
    _ = try GivenShape.offset(arguments)
    for option in arguments.strings("reset") where arguments.isGiven(option) {
      throw arguments.usageError("--\(option) and --reset \(option): give one")
    }
    guard try !asked(by: arguments, here: nil).isEmpty || arguments.flag("here") else {
      throw arguments.usageError("nothing to change: give --radius, --exit-after or another option")
    }
    // Applied here only to describe mistakes in the words of the command line: the daemon applies it anew.
    let old = try await ControlClient.call(Record.self, name, arguments).record.condition
    let assumed = ConditionOptions.assumed(arguments)
    let (adjustment, here) = try await ConditionOptions.givenHere(arguments) { here in
      let adjustment = try asked(by: arguments, here: here)
      let new = try adjustment.applied(to: old)
      if new != old, !new.isElsewhere(than: old), assumed != nil {
        throw ConditionError.assumedInPlace
      }
      return adjustment
    }
    let reply = try await ControlClient.call(
      Adjust.self, Adjust.Parameters(name, adjustment, assuming: assumed), arguments)
    let words =
      switch reply.outcome {
      case .adjusted: "changed"
      case .replaced: "changed, and begins anew"
      case .unchanged: "is so already"
      }
    try await AddCommand.tell(reply.record, reply.outcome.rawValue, as: words, here, arguments)
  }

  /// The adjustment that the options ask for.
  private static func asked(
    by arguments: ParsedArguments, here: Coordinate?
  ) throws -> ConditionAdjustment {
    var adjustment = ConditionAdjustment()
    adjustment.latitude = here?.latitude ?? arguments.latitude
    adjustment.longitude = here?.longitude ?? arguments.longitude
    adjustment.radius = arguments.double("radius")
    adjustment.width = arguments.double("width")
    adjustment.minimumAltitude = arguments.double("minimum-altitude")
    adjustment.maximumAltitude = arguments.double("maximum-altitude")
    adjustment.altitudeReference = arguments.string("altitude-reference")
    adjustment.enterAfter = arguments.duration("enter-after")?.inSeconds
    adjustment.exitAfter = arguments.duration("exit-after")?.inSeconds
    adjustment.confidence = arguments.double("confidence")
    adjustment.expires = try ConditionOptions.expires(arguments)
    let reset = Set(arguments.strings("reset"))
    if !reset.isEmpty {
      adjustment.reset = Set(
        ConditionAdjustment.Option.allCases.filter { reset.contains(name(of: $0)) })
    }
    return adjustment
  }
}
