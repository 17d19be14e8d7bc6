import Foundation

/// The machine on which the programs run.
package enum Machine {
  /// The processor, the number of processors, and the system.
  package static var description: String {
    let lines = text("/proc/cpuinfo").split(separator: "\n")
    let models = lines.filter { $0.hasPrefix("model name") }
    let model = models.first?.split(separator: ":").last.map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    // ARM boards have their name here, with a zero after it.
    let board = text("/proc/device-tree/model").split(separator: "\0").first.map(String.init)
    let count = ProcessInfo.processInfo.activeProcessorCount
    let system = text("/etc/os-release").split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    return
      "\(model ?? board ?? "A processor"), \(count) \(count == 1 ? "core" : "cores"); \(system ?? "Linux")"
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }
}
