import CommandLineParsing
import GeofenceDaemon

/// The command `geofenced manual`: prints the texts that are made from the definitions, for packaging.
enum ManualCommand: Subcommand {
  static let definition = Command(
    "manual", abstract: "Print a file that is made from the program's definitions.",
    examples: [
      Example("geofenced manual geofenced.1 | man -l -", "Read the manual before it is installed.")
    ],
    arguments: [
      Argument(
        "name",
        takes: .choice("NAME", ["geofenced.1", "geofenced.conf.5", "geofenced.conf"]),
        help: "The file.")
    ],
    isHidden: true)

  static func run(_ arguments: ParsedArguments) async throws {
    let text =
      switch try arguments.requiredString("name") {
      case "geofenced.1":
        ManualPage.render(
          Program.definition, sections: ManualSections.all,
          seeAlso: ["geofenced.conf(5)", "gpsd(8)"])
      case "geofenced.conf.5": ConfigurationTexts.renderManualPage()
      default: ConfigurationTexts.renderExampleFile()
      }
    try Console.write(text)
  }
}
