import CommandLineParsing
import ControlInterface
import Geofencing

/// The command `geofenced ctl show`.
enum ShowCommand: Subcommand {
  static let definition = Command(
    "show", abstract: "Show one condition with its last event other than 'crossed'.",
    examples: [Example("geofenced ctl show home", "What is known about 'home'.")],
    arguments: [ControlClient.condition],
    options: [ControlClient.monitor, ControlClient.user])

  static func run(_ arguments: ParsedArguments) async throws {
    let name = try ControlClient.conditionName(arguments)
    let record = try await ControlClient.call(Record.self, name, arguments).record
    guard !arguments.flag("json") else { return try Console.write(ControlClient.line(record)) }
    let condition = record.condition
    var table = Table("", "")
    table.add("Condition:", "\(record.monitor)/\(record.identifier)")
    table.add("State:", record.state.rawValue)
    table.add("Shape:", condition.shapeText)
    table.add("Centre:", condition.centerText)
    if let altitude = condition.altitudeText { table.add("Altitude:", altitude) }
    if let time = condition.enterAfter { table.add("Enter after:", time.timeSpan) }
    if let time = condition.exitAfter { table.add("Exit after:", time.timeSpan) }
    if let confidence = condition.confidence { table.add("Confidence:", "\(confidence)") }
    if let date = condition.expires { table.add("Expires:", date.text(in: .local)) }
    if record.accuracyLimited {
      table.add(
        "Accuracy:",
        "too poor at present, or MinimumSigma= too high, to be sure of being inside; \(condition.remedyText)"
      )
    }
    table.add("Owner:", "uid \(record.user)")
    table.add("Added:", record.added.text(in: .local))
    table.add(
      "Last event:",
      record.lastEvent.map { String(EventText.line($0, in: .local).dropLast()) } ?? "-")
    try Console.write(table.render(withTitles: false))
  }
}
