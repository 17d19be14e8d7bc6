import CommandLineParsing
import GeofenceReport
import LinuxSystem

/// Where a report goes, and in what form: the ending of its name says so.
struct ReportFile {
  let path: String
  private let isPage: Bool
  private var output: OutputFile?

  /// - Throws: `UsageError` where the ending is of no form of a report.
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

  /// Whether it would take the place of a file, however that is named.
  func replaces(_ file: String) -> Bool {
    guard file != path else { return true }
    guard let replaced = try? FileStatus(path: path) else { return false }
    return (try? FileStatus(path: file))?.identity == replaced.identity
  }

  /// Finds out whether it can be written; what is there stays as it is until the report is.
  mutating func open() throws { output = try OutputFile(path: path, isPrivate: true) }

  /// Writes it whole, readable by its owner only: it holds positions.
  ///
  /// A symbolic link stays, and leads to it. Something that is no regular file, such as a pipe, is written
  /// into.
  func write(_ report: Report) throws {
    let bytes = try isPage ? HTMLReport(report).encode() : GeoJSONReport(report).encode()
    let file = try output ?? OutputFile(path: path, isPrivate: true)
    try file.write(bytes)
    try file.keep()
  }
}
