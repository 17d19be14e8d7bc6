import CommandLineParsing
import GeofenceReport
import LinuxSystem

/// The file of a report, and its format, which follows from the ending of its name.
struct ReportFile {
  let path: String
  private let isPage: Bool
  private var output: OutputFile?

  /// - Throws: `UsageError` if no format has this ending.
  init(_ path: String, _ arguments: ParsedArguments) throws(UsageError) {
    self.path = path
    switch path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased() {
    case "html": isPage = true
    case "geojson": isPage = false
    default:
      throw arguments.usageError(
        "a report ends in .html (a page) or .geojson (for QGIS), got \(quoted(path))")
    }
  }

  /// Whether it would replace a file, by whatever path that is named.
  func replaces(_ file: String) -> Bool {
    guard file != path else { return true }
    guard let replaced = try? FileStatus(path: path) else { return false }
    return (try? FileStatus(path: file))?.identity == replaced.identity
  }

  /// Checks that it can be written; a file that is there stays as it is until ``write(_:)``.
  mutating func open() throws { output = try OutputFile(path: path, isPrivate: true) }

  /// Writes the report, which has positions, so that only its owner can read it; see ``OutputFile``.
  func write(_ report: Report) throws {
    let bytes = try isPage ? HTMLReport(report).encode() : GeoJSONReport(report).encode()
    let file = try output ?? OutputFile(path: path, isPrivate: true)
    try file.write(bytes)
    try file.keep()
  }
}
