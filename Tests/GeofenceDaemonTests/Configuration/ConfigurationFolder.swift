import Foundation
import GeofenceDaemon
import TestSupport

/// A folder of its own with a configuration and drop-ins; it goes away with its owner.
final class ConfigurationFolder {
  private let folder: TemporaryFolder
  var path: String { folder.path }
  var main: String { path + "/geofenced.conf" }

  init(_ main: String? = nil, dropIns: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: path + "/geofenced.conf.d", withIntermediateDirectories: false)
    if let main { try write(Data(main.utf8), "geofenced.conf") }
    for (name, text) in dropIns { try write(Data(text.utf8), "geofenced.conf.d/\(name)") }
  }

  func write(_ data: Data, _ name: String) throws {
    try data.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  /// Loads the configuration; the folder's own path is left out of the issues' lines.
  func load(
    environment: [String: String] = [:]
  ) -> (configuration: Configuration?, lines: [String]) {
    let (configuration, issues) = Configuration.load(from: main, environment: environment)
    return (
      configuration, issues.map { $0.description.replacingOccurrences(of: path + "/", with: "") }
    )
  }
}
