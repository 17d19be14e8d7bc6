import CommandLineParsing
import ControlInterface
import Geofencing
import LinuxSystem
import Varlink

/// The command `geofenced ctl advise`.
enum AdviseCommand: Subcommand {
  static let definition = Command(
    "advise", abstract: "Suggest better settings for conditions.",
    discussion: """
      Looks at the newest events of each condition, at most 200: how often it was entered and \
      exited, how many stays and absences were shorter than two minutes though nobody was \
      travelling, and how accurate the positions were. Then says whether the radius can be judged \
      with that accuracy, and suggests another radius, confidence, enterAfter or exitAfter. \
      Conditions without advice are only counted, unless you name one; --json lists all. It \
      changes nothing, but prints the command that would. 'geofenced replay' shows what a change \
      would do with a recording.
      """,
    examples: [
      Example("geofenced ctl advise", "All your conditions."),
      Example("geofenced ctl advise home --json", "One condition, for a program."),
    ],
    arguments: [
      Argument(
        "identifier", takes: .name(of: .anyCondition), isRequired: false,
        help: "The condition, also as [UID:]MONITOR/IDENTIFIER.")
    ],
    options: [
      Option(
        "monitor", short: "m", takes: .name(of: .monitor),
        help: "Only this monitor; without it, all of them, or 'default' if IDENTIFIER is given."),
      ControlClient.user,
    ])

  static func run(_ arguments: ParsedArguments) async throws {
    let name = try arguments.string("identifier").map {
      try ControlClient.conditionName($0, arguments)
    }
    let parameters = Advise.Parameters(
      user: try name?.user ?? ControlClient.user(arguments),
      monitor: name?.monitor ?? arguments.string("monitor"),
      identifier: name?.identifier)
    let isJSON = arguments.flag("json")
    let viewer = try ControlClient.viewer(arguments)
    let isAboutOne = parameters.identifier != nil
    var (advised, others) = (0, 0)
    let progress = ProgressLine()
    defer { progress.end() }
    progress.show("reading the log")
    try await ControlClient.stream(Advise.self, parameters, arguments, prompt: .all) { reply in
      for item in reply.items {
        guard isJSON || isAboutOne || !item.advice.suggestsNothing else {
          others += 1
          continue
        }
        advised += 1
        progress.end()
        try Console.write(isJSON ? ControlClient.line(item) : text(item, to: viewer, arguments))
      }
      progress.show("looked at \(Quantity.count(advised + others, "condition", "conditions"))")
    }
    progress.end()
    if advised + others == 0 { return ControlClient.tellNothing("conditions", arguments) }
    guard others > 0 else { return }
    let rest = Quantity.count(others, "condition", "conditions")
    try Console.write("Nothing to change about \(rest)\(advised > 0 ? " more" : "").\n")
  }

  private static func text(
    _ item: Advise.Item, to viewer: UInt32, _ arguments: ParsedArguments
  ) -> String {
    let advice = item.advice
    var facts = [item.condition.shapeText]
    facts.append(
      Quantity.count(advice.flips, "entry or exit", "entries and exits")
        + (advice.flipsPerDay.map { " (\($0) a day)" } ?? ""))
    if max(advice.briefStays, advice.briefAbsences) > 0 {
      facts.append(Quantity.count(advice.briefStays, "brief stay", "brief stays"))
      facts.append(Quantity.count(advice.briefAbsences, "brief absence", "brief absences"))
    }
    if let median = advice.medianAccuracy, let worst = advice.worstAccuracy {
      facts.append(
        "accuracy \(Quantity.uncertainty(median)), at worst \(Quantity.uncertainty(worst))")
    }
    if let present = advice.presentAccuracy {
      facts.append("at present \(Quantity.uncertainty(present))")
    }
    return OwnerText.name(item.identifier, in: item.monitor, of: item.user, to: viewer)
      + ": \(facts.joined(separator: ", "))\n"
      + "  \(advice.sentence)\n" + (change(item, arguments).map { "  \($0)\n" } ?? "")
  }

  /// The command line that does what is suggested; nil if there is none.
  private static func change(_ item: Advise.Item, _ arguments: ParsedArguments) -> String? {
    let advice = item.advice
    var options: [String] = []
    func add(_ option: String, _ seconds: Double?) {
      guard let time = seconds.flatMap(Duration.init(inSeconds:)) else { return }
      options.append("--\(option) \(time.timeSpan)")
    }
    if let radius = advice.radius { options.append("--radius \(radius.shortest)") }
    // With a larger radius the confidence needn't be changed.
    if advice.radius == nil, let confidence = advice.confidence {
      options.append("--confidence \(confidence)")
    }
    add("enter-after", advice.enterAfter)
    add("exit-after", advice.exitAfter)
    guard !options.isEmpty else { return nil }
    if item.monitor != GeofencedInterface.defaultMonitor {
      options.append("--monitor=\(item.monitor)")
    }
    if item.user != ProcessUser.effective { options.append("--user \(item.user)") }
    if arguments.isGiven("socket"), let path = arguments.string("socket") {
      options.append("--socket \(path.replacing(/[^\w.\/-]/) { "\\\($0.output)" })")
    }
    // An identifier may begin with a hyphen, as options do.
    if item.identifier.hasPrefix("-") { options.append("--") }
    return "geofenced ctl change \(options.joined(separator: " ")) \(item.identifier)"
  }
}
