import CommandLineParsing
import ControlInterface
import GeographicFiles
import LinuxSystem
import Varlink

/// The command `geofenced ctl export`.
enum ExportCommand: Subcommand {
  static let definition = Command(
    "export", abstract: "Write the conditions of a monitor to a file.",
    discussion: """
      The file can be imported again without loss, and the same conditions give the same bytes. \
      Other properties of an imported file aren't kept. The export is a snapshot, even while \
      others change conditions. Without FILE, or with '-', it goes to standard output. A file \
      appears whole or not at all. GPX has no polygons, so a monitor with some is refused. A \
      monitor without conditions is refused too, and so is a file name with another format's \
      ending, such as .csv.
      """,
    examples: [
      Example("geofenced ctl export places.geojson", "Keep the conditions of 'default'."),
      Example(
        "geofenced ctl export --monitor work --format kml >work.kml", "Look at them on a map."),
    ],
    arguments: [
      Argument(
        "file", takes: .file("FILE"), isRequired: false, help: "The file to write, or '-'.")
    ],
    options: [
      ControlClient.monitor,
      Option(
        "format", takes: .choice("FORMAT", GeographicFormat.allCases.map(\.rawValue)),
        help: "What to write; without it, what the file's name says, or else geojson."),
      ControlClient.user,
    ],
    declined: ["json": "use --format, or 'geofenced ctl list --json'"])

  /// The ending of a file's name if it stands for a format that other programs write and this one doesn't.
  private static func foreignEnding(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let ending = name.split(separator: ".").dropFirst().last?.lowercased() else { return nil }
    let foreign = """
      csv dbf fgb gml gpkg gz htm html kmz osm parquet pdf shp sqlite svg topojson tsv txt wkt xls xlsx xml zip
      """.split(separator: " ")
    return foreign.contains { $0 == ending } ? ending : nil
  }

  static func run(_ arguments: ParsedArguments) async throws {
    let path = arguments.string("file").flatMap { $0 == "-" ? nil : $0 }
    if let path, !arguments.isGiven("format"), let foreign = foreignEnding(of: path) {
      throw arguments.usageError(
        "FILE ends in .\(foreign), which isn't written: end it in .geojson, .kml or .gpx, or say --format"
      )
    }
    let format =
      arguments.string("format").flatMap(GeographicFormat.init(rawValue:))
      ?? path.flatMap { GeographicFormat(path: $0) } ?? .geojson
    let parameters = List.Parameters(
      user: try ControlClient.ownUser(arguments),
      monitor: arguments.string("monitor") ?? GeofencedInterface.defaultMonitor)
    let output = try path.map { try OutputFile(path: $0) }
    for _ in 1...attempts {
      // Written to a copy first: what went to a pipe couldn't be taken back.
      let copy = try UnnamedFile()
      guard try await isOfOneMoment(parameters, format, copy, arguments) else { continue }
      let input = try InputFile(path: copy.path)
      var piece: [UInt8] = []
      repeat {
        piece.removeAll(keepingCapacity: true)
        try input.readPiece(into: &piece)
        try output?.write(piece) ?? Console.write(piece)
      } while !piece.isEmpty
      try output?.keep()
      if !arguments.isGiven("monitor") { try await tellOfOthers(than: parameters, arguments) }
      return
    }
    throw CommandFailure(
      description: "the conditions were changed \(attempts) times while they were read: try again"
        + (path.map { "; \($0) isn't written" } ?? ""))
  }

  /// Says that other monitors have conditions, too: without `--monitor`, the file may be taken for all of them.
  private static func tellOfOthers(
    than parameters: List.Parameters, _ arguments: ParsedArguments
  ) async throws {
    let everybodys = Monitors.Parameters(user: try ControlClient.user(arguments))
    // If this fails, there is just no note.
    guard let reply = try? await ControlClient.call(Monitors.self, everybodys, arguments) else {
      return
    }
    let own = parameters.user ?? ProcessUser.effective
    let others = reply.monitors.filter {
      $0.conditions > 0 && ($0.user, $0.monitor) != (own, parameters.monitor)
    }
    guard !others.isEmpty else { return }
    let count = Quantity.count(others.count, "other monitor has", "other monitors have")
    Console.tell(
      "note: only the conditions of 'default' were written: \(count) some, see 'geofenced ctl monitor list'",
      by: arguments)
  }

  /// How often the conditions are read if they are changed meanwhile.
  private static let attempts = 10

  /// Writes the daemon's conditions to a file; false if they were changed meanwhile, so that the file may mix old and
  /// new ones.
  private static func isOfOneMoment(
    _ parameters: List.Parameters, _ format: GeographicFormat, _ file: borrowing UnnamedFile,
    _ arguments: ParsedArguments
  ) async throws -> Bool {
    var writer = ConditionsWriter(format: format)
    var count = 0
    var (first, last): (Int64?, Int64?)
    let progress = ProgressLine()
    defer { progress.end() }
    try await ControlClient.stream(List.self, parameters, arguments, prompt: .all) { reply in
      (first, last) = (first ?? reply.revision, reply.revision)
      count += reply.records.count
      var bytes: [UInt8] = []
      for record in reply.records {
        try writer.write(record.condition, identifier: record.identifier, into: &bytes)
      }
      try file.append(bytes)
      progress.show("read \(Quantity.count(count, "condition", "conditions"))")
    }
    guard first == last else { return false }
    guard count > 0 else {
      // With a mistyped name, an empty file mustn't replace one that is there, or be taken for a backup.
      throw CommandFailure(
        description:
          "monitor '\(parameters.monitor ?? "")' of user \(parameters.user ?? ProcessUser.effective) has no "
          + "conditions" + (arguments.string("file").map { ": \($0) isn't written" } ?? ""))
    }
    var end: [UInt8] = []
    writer.finish(into: &end)
    try file.append(end)
    return true
  }
}
